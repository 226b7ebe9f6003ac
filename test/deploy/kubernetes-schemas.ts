import { join } from 'node:path';
import ts from 'typescript';
import { type Document, ROOT } from './deployment';

/** The module and the type of the model of each kind. */
const MODELS: Record<string, [module: string, type: string]> = {
  'v1 Namespace': ['kubernetes-models/v1', 'Namespace'],
  'v1 Service': ['kubernetes-models/v1', 'Service'],
  'v1 ConfigMap': ['kubernetes-models/v1', 'ConfigMap'],
  'apps/v1 Deployment': ['kubernetes-models/apps/v1', 'Deployment'],
  'batch/v1 Job': ['kubernetes-models/batch/v1', 'Job'],
  'networking.k8s.io/v1 Ingress': ['kubernetes-models/networking.k8s.io/v1', 'Ingress'],
  'networking.k8s.io/v1 NetworkPolicy': ['kubernetes-models/networking.k8s.io/v1', 'NetworkPolicy'],
  'policy/v1 PodDisruptionBudget': ['kubernetes-models/policy/v1', 'PodDisruptionBudget'],
  'autoscaling/v2 HorizontalPodAutoscaler': ['kubernetes-models/autoscaling/v2', 'HorizontalPodAutoscaler'],
  'keda.sh/v1alpha1 ScaledObject': ['@kubernetes-models/keda/keda.sh/v1alpha1', 'ScaledObject'],
};

interface Model {
  validate: () => void;
}

/** Validates a document with the schema of its kind. Returns the error, or undefined if it is valid. */
export function schemaFault(document: Document): string | undefined {
  const place = MODELS[`${document.apiVersion} ${document.kind}`];
  if (!place) return `No schema is known for ${document.apiVersion} ${document.kind}.`;
  const [module, type] = place;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the module depends on the document
  const models = require(module) as Record<string, new (data: unknown) => Model>;
  try {
    new models[type]!(document).validate();
    return undefined;
  } catch (error) {
    return `${document.kind} ${document.metadata.name}: ${String(error)}`;
  }
}

/**
 * Finds unknown fields with the TypeScript compiler. The schemas allow unknown fields, as the Kubernetes API does, which
 * drops them.
 */
export function unknownFields(documents: readonly Document[]): string[] {
  const lines = documents.map((document, index) => {
    const [module, type] = MODELS[`${document.apiVersion} ${document.kind}`]!;
    return `import type { I${type} as T${index} } from '${module}'; export const d${index}: T${index} = ${JSON.stringify(document)};`;
  });
  const file = join(ROOT, 'manifests-under-test.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const source = ts.createSourceFile(file, lines.join('\n'), ts.ScriptTarget.ES2023);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, ...rest) => (name === file ? source : getSourceFile.call(host, name, ...rest));
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: where, start = 0 }) => {
    const line = where?.getLineAndCharacterOfPosition(start).line ?? 0;
    const { kind, metadata } = documents[line];
    return `${kind} ${metadata.name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
