import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

type Check = 'up' | 'down';
const CHECK = { type: String, enum: ['up', 'down'] };

/** The state of a process that runs. */
export class Liveness {
  @ApiProperty({ type: String, enum: ['ok'] })
  status: 'ok';
}

/** The state of what an instance depends on. */
export class Readiness {
  @ApiProperty({ type: String, enum: ['ok', 'degraded'] })
  status: 'ok' | 'degraded';

  @ApiProperty(CHECK)
  database: Check;

  @ApiProperty(CHECK)
  migrations: Check;

  @ApiProperty(CHECK)
  queue: Check;

  @ApiProperty()
  backend: string;
}

/** Why an instance cannot take requests. */
export class Unreadiness {
  @ApiProperty()
  code: string;

  @ApiProperty()
  detail: string;

  @ApiPropertyOptional(CHECK)
  database?: Check;

  @ApiPropertyOptional(CHECK)
  migrations?: Check;

  @ApiPropertyOptional(CHECK)
  queue?: Check;

  @ApiPropertyOptional()
  backend?: string;
}
