import { Controller, Get } from '@nestjs/common';
import { DescribeLive } from './live.openapi';

/** Changes as server-sent events. */
@Controller('operator/v1')
export class LiveController {
  @Get('live')
  @DescribeLive()
  follow(): never {
    throw new Error('Not implemented.');
  }
}
