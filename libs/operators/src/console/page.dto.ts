/** A complete list of items. */
export interface List<Item> {
  items: Item[];
}

/** What items of lists of an account's requests and documents begin with. */
export interface AccountItem {
  id: string;
  process_id: string;
  external_account_number: string;
  platform_account_number: string;
}
