import { Controller, Get, Patch, Post } from '@nestjs/common';
import {
  DescribeCreateSupplier,
  DescribeSetStatus,
  DescribeSetSupplier,
  DescribeSupplier,
  DescribeSuppliers,
  DescribeThroughput,
} from './suppliers.openapi';

/** Suppliers, as operators see and manage them. */
@Controller('operator/v1')
export class OperatorSuppliersController {
  @Get('suppliers')
  @DescribeSuppliers()
  list(): never {
    throw new Error('Not implemented.');
  }

  @Get('suppliers/:code')
  @DescribeSupplier()
  read(): never {
    throw new Error('Not implemented.');
  }

  @Get('suppliers/:code/throughput')
  @DescribeThroughput()
  throughput(): never {
    throw new Error('Not implemented.');
  }

  @Post('suppliers')
  @DescribeCreateSupplier()
  create(): never {
    throw new Error('Not implemented.');
  }

  @Patch('suppliers/:code')
  @DescribeSetSupplier()
  set(): never {
    throw new Error('Not implemented.');
  }

  @Post('suppliers/:code/status')
  @DescribeSetStatus()
  setStatus(): never {
    throw new Error('Not implemented.');
  }
}
