import {
  Args,
  Context,
  Field,
  Float,
  InputType,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from '@nestjs/graphql';
import { PortageError } from '@portage/domain';
import { type ObtainedToken, TokenAttempts } from '@portage/importing';
import type { FastifyReply } from 'fastify';
import { GraphQLJSON } from './json-scalar';

@InputType({ description: 'Exactly one of the two.' })
export class ObtainPlatformTokenInput {
  @Field(() => String, { nullable: true, description: 'An API key of your organisation.' })
  APIKey?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The refresh token of an earlier answer. It works once.',
  })
  refreshToken?: string | null;
}

@ObjectType({ description: 'A token for the Authorization header, and how to get the next one.' })
export class ObtainPlatformToken {
  @Field({ description: 'Send it as `Authorization: Token <token>`.' })
  token: string;

  @Field({ description: 'Obtains the next token, once.' })
  refreshToken: string;

  @Field(() => Float, { description: 'When the refresh token expires, in Unix seconds.' })
  refreshExpiresIn: number;

  @Field(() => GraphQLJSON, { description: "The token's claims; `exp` is when it expires, in Unix seconds." })
  payload: object;
}

/** The token-issuing mutation (contract 5, DESIGN 1). */
@Resolver()
export class PlatformTokenResolver {
  constructor(private readonly attempts: TokenAttempts) {}

  @Query(() => String, { description: 'The service that answers. GraphQL asks for at least one query.' })
  service(): string {
    return 'portage';
  }

  @Mutation(() => ObtainPlatformToken, {
    description: 'Exchanges an API key or a refresh token for an access token.',
  })
  async obtainPlatformToken(
    @Args('input') { APIKey, refreshToken }: ObtainPlatformTokenInput,
    // Not the reply itself: Nest awaits what it hands over, and a reply waits for its answer.
    @Context() { reply }: { reply: FastifyReply },
  ): Promise<ObtainedToken> {
    if (APIKey && !refreshToken) return this.attempts.obtain(reply.request.ip, { APIKey });
    if (refreshToken && !APIKey) return this.attempts.obtain(reply.request.ip, { refreshToken });
    throw new PortageError('validation_error', 'Give either APIKey or refreshToken.');
  }
}
