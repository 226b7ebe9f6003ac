import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlatformModule } from '@portage/platform';
import { AccessTokens } from './access/access-tokens';
import { ApiKeyRepository } from './access/api-key.repository';
import { Authenticate } from './access/authenticate';
import { ObtainToken } from './access/obtain-token';
import { OrganisationRepository } from './access/organisation.repository';
import { Organisations } from './access/organisations';
import { TokenAttempts } from './access/token-attempts';
import { TokenMetrics } from './access/token-metrics';
import { tenantEntities } from './entities';
import { OperatorRules } from './rules/operator-rules';
import { OperatorRulesRepository } from './rules/operator-rules.repository';
import { RuleSettingsDirectory } from './rules/rule-settings-directory';
import { SchemaContexts } from './rules/schema-contexts';
import { ImportSupplierDirectory } from './suppliers/import-supplier-directory';
import { ImportSupplierRepository } from './suppliers/import-supplier.repository';
import { ImportSuppliers } from './suppliers/import-suppliers';
import { SupplierProfile } from './profile/supplier-profile';

/** The module exports all of them; what other libraries use is in index.ts. */
const providers = [
  AccessTokens,
  ApiKeyRepository,
  Authenticate,
  ImportSupplierDirectory,
  ImportSupplierRepository,
  ImportSuppliers,
  ObtainToken,
  OperatorRules,
  OperatorRulesRepository,
  OrganisationRepository,
  Organisations,
  RuleSettingsDirectory,
  SchemaContexts,
  SupplierProfile,
  TokenAttempts,
  TokenMetrics,
];

/** Organisations, suppliers, their keys and tokens, and their settings of the rules. */
@Module({
  imports: [PlatformModule, TypeOrmModule.forFeature(tenantEntities)],
  providers,
  exports: providers,
})
export class TenantsModule {}
