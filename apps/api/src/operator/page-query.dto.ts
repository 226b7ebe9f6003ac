import { IntegerField, TextField } from '../http/fields';

/** The query of a page. */
export class PageQuery {
  @IntegerField({ min: 1, max: 200, default: 50, description: 'Items of a page.' })
  limit: number;

  @TextField({
    max: 2_048,
    description: 'The `next_cursor` of the page before. It is valid with the same filters only.',
  })
  cursor?: string;
}
