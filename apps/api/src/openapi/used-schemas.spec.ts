import { Controller, Get } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiOkResponse, ApiProperty, DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { keepUsedSchemas } from './used-schemas';

class Typed {
  @ApiProperty({ type: 'string', nullable: true })
  note: string | null;
}

class Untyped {
  @ApiProperty({ nullable: true })
  note: string | null;
}

/** The document of an operation that answers with this class. */
async function documentOf(type: new () => object) {
  @Controller()
  class AnswerController {
    @Get()
    @ApiOkResponse({ type })
    read(): void {}
  }
  const module = await Test.createTestingModule({ controllers: [AnswerController] }).compile();
  const app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
  const base = new DocumentBuilder().setOpenAPIVersion('3.1.0').build();
  return SwaggerModule.createDocument(app, base);
}

it('keeps the schemas that operations refer to', async () => {
  const document = await documentOf(Typed);
  keepUsedSchemas(document);
  expect(document.components?.schemas).toMatchObject({
    Typed: { properties: { note: { type: ['string', 'null'] } } },
  });
});

it('refuses a nullable property without a type, and says what it needs', async () => {
  const document = await documentOf(Untyped);
  expect(() => {
    keepUsedSchemas(document);
  }).toThrow(/property note of the schema Untyped is an object without members.*@ApiProperty\(\{ type/);
});
