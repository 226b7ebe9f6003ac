import type { components } from './generated';

type Schemas = components['schemas'];

export type Overview = Schemas['Overview'];
export type Health = Schemas['Health'];
export type SupplierSummary = Schemas['SupplierSummary'];
export type SubmissionSummary = Schemas['SubmissionSummary'];
export type Supplier = Schemas['Supplier'];
export type SupplierPage = Schemas['SupplierPage'];
export type SupplierDetail = Schemas['SupplierDetail'];
export type SupplierSettings = Schemas['SupplierSettingsRequest'];
export type NewSupplier = Schemas['CreateSupplierRequest'];
export type Funnel = Schemas['Funnel'];
export type TopError = Schemas['TopError'];
export type Throughput = Schemas['Throughput'];
export type ProcessSummary = Schemas['ProcessSummary'];
export type ProcessPage = Schemas['ProcessPage'];
export type ProcessDetail = Schemas['ProcessDetail'];
export type TimelineEntry = Schemas['TimelineEntry'];
export type FollowUp = Schemas['FollowUp'];
export type AccountRequestSummary = Schemas['AccountRequestSummary'];
export type Payload = Schemas['Payload'];
export type ProcessSelection = Schemas['ProcessSelection'];
export type ProcessActionPreview = Schemas['ProcessActionPreview'];
export type ProcessActionRequest = Schemas['ProcessActionRequest'];
export type ProcessActionResult = Schemas['ProcessActionResult'];
export type SubmissionPage = Schemas['SubmissionPage'];
export type SubmissionDetail = Schemas['SubmissionDetail'];
export type Reconciliation = Schemas['Reconciliation'];
export type ReconciledMeasure = Schemas['ReconciledMeasure'];
export type AbortResult = Schemas['AbortResult'];
export type RollbackRequest = Schemas['RollbackRequest'];
export type RollbackResult = Schemas['RollbackResult'];
export type Queue = Schemas['Queue'];
export type QueueList = Schemas['QueueList'];
export type Worker = Schemas['Worker'];
export type WorkerList = Schemas['WorkerList'];
export type Vendor = Schemas['Vendor'];
export type VendorList = Schemas['VendorList'];
export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookList = Schemas['WebhookList'];
export type WebhookDetail = Schemas['WebhookDetail'];
export type WebhookAttempt = Schemas['WebhookAttempt'];
export type WebhookTest = Schemas['WebhookTest'];
export type AuditEntry = Schemas['AuditEntry'];
export type AuditPage = Schemas['AuditPage'];
export type Organisation = Schemas['Organisation'];
export type OrganisationList = Schemas['OrganisationList'];
export type ApiKey = Schemas['ApiKey'];
export type ApiKeyList = Schemas['ApiKeyList'];
export type IssuedApiKey = Schemas['IssuedApiKey'];
export type LiveEnd = Schemas['LiveEnd'];
export type Role = 'viewer' | 'operator' | 'admin';

export interface Session {
  operator: { name: string; role: Role; has_totp: boolean; must_change_password: boolean };
  csrf_token: string;
  expires_at: string;
  idle_expires_at: string;
}

export interface SignInMethods {
  password: boolean;
  openid_connect: { name: string; start_url: string } | null;
}

export interface LoginRequest {
  name: string;
  password: string;
  totp?: string;
}

export interface EnrolledTotp {
  secret: string;
  uri: string;
}

export interface Operator {
  name: string;
  role: Role;
  is_disabled: boolean;
  has_totp: boolean;
  must_change_password: boolean;
  sign_in: 'password' | 'openid-connect';
  created_at: string;
  last_login_at: string | null;
}

export interface OperatorList {
  items: Operator[];
}

export interface OperatorWithPassword {
  operator: Operator;
  one_time_password: string;
}
