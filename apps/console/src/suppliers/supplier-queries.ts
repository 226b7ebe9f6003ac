import { apiQuery, path } from '../api/client';
import type { SupplierDetailView, SupplierPage } from '../api/shapes';

export const supplierQuery = (code: string) =>
  apiQuery<SupplierDetailView>(['supplier', code], path('suppliers', code));

/** The first suppliers by code. */
export const suppliersQuery = apiQuery<SupplierPage>(['suppliers'], '/suppliers', { limit: 200 });
