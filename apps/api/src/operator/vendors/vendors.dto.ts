import { ListOf, VendorView } from '@portage/importing';

/** The payment vendors. */
export class VendorList extends ListOf(VendorView) {}
