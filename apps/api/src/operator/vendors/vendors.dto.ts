import type { List } from '@portage/operators';
import { VendorView } from '@portage/operators';

/** The payment vendors. */
export type VendorList = List<VendorView>;
