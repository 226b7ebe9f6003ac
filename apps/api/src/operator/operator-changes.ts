import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ActingOperator, PortageError } from '@portage/platform';
import type { FastifyRequest } from 'fastify';
import { Observable, throwError } from 'rxjs';
import { catchError } from 'rxjs/operators';

/**
 * Runs an operation of the operator API in the name of the signed-in operator, so that the audit has the name, and
 * words the refusals of use cases, which the command line prints as well, for a client of the API.
 */
@Injectable()
export class OperatorChanges implements NestInterceptor {
  constructor(private readonly acting: ActingOperator) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { operator } = context.switchToHttp().getRequest<FastifyRequest>();
    // The guard has run before.
    if (!operator) throw new Error('A route of the operator API was called without a session.');
    return new Observable<unknown>((subscriber) =>
      this.acting.run(operator.actor, () => next.handle().subscribe(subscriber)),
    ).pipe(catchError((error: unknown) => throwError(() => toAnswer(error))));
  }
}

function toAnswer(error: unknown): unknown {
  if (!(error instanceof PortageError && error.code === 'operation_refused')) return error;
  // The sentences of use cases name settings as the options of the command line.
  const detail = error.detail.replaceAll(/--([a-z][a-z0-9-]*)/g, (_, name: string) =>
    name.replaceAll('-', '_'),
  );
  return new PortageError('operation_refused', detail);
}
