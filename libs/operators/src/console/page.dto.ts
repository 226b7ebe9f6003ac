import { ApiProperty } from '@nestjs/swagger';

type Type<Item> = new () => Item;

/** The class of a page of items. */
export function PageOf<Item>(type: Type<Item>) {
  class PageOfItems {
    @ApiProperty({ type: [type] })
    items: Item[];

    @ApiProperty({
      type: String,
      nullable: true,
      description: 'Pass it as `cursor` to read on. Null at the end.',
    })
    next_cursor: string | null;
  }
  return PageOfItems;
}

/** The class of a complete list of items. */
export function ListOf<Item>(type: Type<Item>) {
  class ListOfItems {
    @ApiProperty({ type: [type] })
    items: Item[];
  }
  return ListOfItems;
}

/** What items of lists of an account's requests and documents begin with. */
export class AccountItem {
  @ApiProperty()
  id: string;

  @ApiProperty()
  process_id: string;

  @ApiProperty()
  external_account_number: string;

  @ApiProperty()
  platform_account_number: string;
}
