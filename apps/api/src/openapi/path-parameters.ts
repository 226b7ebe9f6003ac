import { ApiParam } from '@nestjs/swagger';

/** The path parameter with the code of an import supplier. */
export const SupplierParam = (name = 'supplier'): MethodDecorator =>
  ApiParam({ name, description: 'Import supplier code', example: 'DEMO' });
