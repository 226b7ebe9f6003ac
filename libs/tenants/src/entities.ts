import { ApiKeyEntity } from './access/api-key.entity';
import { ImportSupplierEntity } from './suppliers/import-supplier.entity';
import { InstallationEntity } from './rules/installation.entity';
import { OrganisationEntity } from './access/organisation.entity';
import { ReferenceDataEntity } from './rules/reference-data.entity';
import { RefreshTokenEntity } from './access/refresh-token.entity';
import { RevokedTokenFamilyEntity } from './access/revoked-token-family.entity';

/** The tables of this subject. */
export const tenantEntities = [
  ApiKeyEntity,
  ImportSupplierEntity,
  InstallationEntity,
  OrganisationEntity,
  ReferenceDataEntity,
  RefreshTokenEntity,
  RevokedTokenFamilyEntity,
];
