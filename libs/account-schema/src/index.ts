export { Account } from './account/account';
export { type FieldError, type SchemaContext, type Validated, type ValidationProfile } from './context';
export { validateAccount, validateObject } from './validate';
export { Address } from './account/address';
export { Customer } from './customer/customer';
