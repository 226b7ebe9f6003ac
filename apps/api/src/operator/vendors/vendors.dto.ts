import { ListOf, VendorView } from '@portage/operators';

/** The payment vendors. */
export class VendorList extends ListOf(VendorView) {}
