import { Controller, Delete, Get, Post } from '@nestjs/common';
import {
  DescribeApiKeys,
  DescribeCreateOrganisation,
  DescribeIssueApiKey,
  DescribeOrganisations,
  DescribeRevokeApiKey,
} from './keys.openapi';

/** Organisations and their API keys. */
@Controller('operator/v1')
export class KeysController {
  @Get('organisations')
  @DescribeOrganisations()
  list(): never {
    throw new Error('Not implemented.');
  }

  @Post('organisations')
  @DescribeCreateOrganisation()
  create(): never {
    throw new Error('Not implemented.');
  }

  @Get('organisations/:name/api-keys')
  @DescribeApiKeys()
  keys(): never {
    throw new Error('Not implemented.');
  }

  @Post('organisations/:name/api-keys')
  @DescribeIssueApiKey()
  issue(): never {
    throw new Error('Not implemented.');
  }

  @Delete('api-keys/:prefix')
  @DescribeRevokeApiKey()
  revoke(): never {
    throw new Error('Not implemented.');
  }
}
