import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { VENDOR_FAILURES, VENDOR_REFUSALS } from '@portage/domain';
import { buildNoOutcomeYet } from '@portage/importing';
import { DescribeAccountUpdateWithout404 } from '../openapi/after-import';
import { type ErrorExample, errorResponse } from '../openapi/error-responses';
import { RESPONSE_HEADERS } from '../openapi/idempotency';

const card = {
  import_supplier: 'DEMO',
  external_account_number: 'A-100231',
  type: 'CARD',
  vendor: 'STRIPE',
  reference: 'pm_1QfL2eKq8xYb',
};
const mandate = { ...card, type: 'DIRECT_DEBIT', vendor: 'GOCARDLESS', reference: 'MD000A1B2C3D4E' };

const label = {
  domain: 'payment_instruction',
  import_supplier: card.import_supplier,
  external_account_number: card.external_account_number,
  reference: card.reference,
};

const { detail: NO_OUTCOME } = buildNoOutcomeYet();

const CREATED = {
  type: 'object',
  required: ['platform_account_number', 'reference'],
  properties: { platform_account_number: { type: 'string' }, reference: { type: 'string' } },
};

const listCodes = (texts: object): string => Object.keys(texts).join('`, `');

const describeErrors = (status: number, description: string, examples: Record<string, ErrorExample>) =>
  ApiResponse(errorResponse(status, description, examples, { schemas: ['PaymentInstructionError'] }));

/** Describes the creation of a payment instruction (contract 4.5). */
export const DescribeCreatePaymentInstruction = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'createPaymentInstruction',
      summary: 'Create a payment instruction of an imported account',
      description:
        'Verifies the instruction with the payment vendor, stores it, and replaces the active instruction of the same type and ledger. Safe to repeat: the same instruction gets the same response.',
    }),
    DescribeAccountUpdateWithout404(),
    ApiBody({
      description: 'The account and the reference of the instruction at its vendor.',
      required: true,
      schema: { $ref: '#/components/schemas/PaymentInstructionRequest' } as never,
      examples: { card: { value: card }, mandate: { value: mandate } },
    }),
    ApiCreatedResponse({
      description: 'The instruction is active.',
      headers: RESPONSE_HEADERS,
      content: {
        'application/json': {
          schema: CREATED,
          example: { platform_account_number: 'A-9c41e07b', reference: card.reference },
        },
      },
    }),
    describeErrors(
      400,
      `Do not repeat the request unchanged. The body is not valid, the account is not imported, or the vendor has refused the instruction: \`${listCodes(VENDOR_REFUSALS)}\`.`,
      {
        refused: {
          detail: VENDOR_REFUSALS.instruction_not_found,
          code: 'instruction_not_found',
          error_detail: VENDOR_REFUSALS.instruction_not_found,
          ...label,
        },
        'not imported': {
          detail: 'The body is not valid: 1 error.',
          code: 'validation_error',
          error_detail: 'external_account_number: No account has been created under this number yet.',
          errors: [
            {
              detail: 'No account has been created under this number yet.',
              code: 'account_not_found',
              attr: 'external_account_number',
            },
          ],
          ...label,
        },
      },
    ),
    describeErrors(
      500,
      `Repeat the request unchanged. The vendor did not answer in three attempts: \`${listCodes(VENDOR_FAILURES)}\`; or an internal error occurred: \`error\`.`,
      {
        unavailable: {
          detail: VENDOR_FAILURES.vendor_timeout,
          code: 'vendor_timeout',
          error_detail: VENDOR_FAILURES.vendor_timeout,
          ...label,
        },
      },
    ),
    describeErrors(
      503,
      'Repeat the request unchanged after `Retry-After` seconds: it is stored and has no outcome yet, or the service is temporarily unavailable.',
      { unavailable: { detail: NO_OUTCOME, code: 'unavailable', error_detail: NO_OUTCOME } },
    ),
  );
