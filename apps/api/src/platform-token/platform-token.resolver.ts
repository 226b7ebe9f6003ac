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
import { PortageError } from '@portage/platform';
import { type ObtainedToken, TokenAttempts } from '@portage/tenants';
import type { FastifyReply } from 'fastify';
import { GraphQLJSON } from './json-scalar';

/** The input of `obtainPlatformToken` (contract, "Access"). */
@InputType({ description: 'Exactly one of the two fields.' })
export class ObtainPlatformTokenInput {
  @Field(() => String, { nullable: true, description: 'An API key of your organisation.' })
  APIKey?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The refresh token of an earlier response. It works once.',
  })
  refreshToken?: string | null;
}

/** The output of `obtainPlatformToken` (contract, "Access"). */
@ObjectType({ description: 'A token for the Authorization header, and how to get the next one.' })
export class ObtainPlatformToken {
  @Field({ description: 'Send it as `Authorization: Token <token>`.' })
  token: string;

  @Field({ description: 'Obtains the next token. It works once.' })
  refreshToken: string;

  @Field(() => Float, { description: 'Expiry of the refresh token, in Unix seconds.' })
  refreshExpiresIn: number;

  @Field(() => GraphQLJSON, { description: "The token's claims. `exp` is its expiry, in Unix seconds." })
  payload: object;
}

/** The mutation that issues access tokens (contract, "Access"). */
@Resolver()
export class PlatformTokenResolver {
  constructor(private readonly attempts: TokenAttempts) {}

  @Query(() => String, { description: 'The name of the service. GraphQL requires at least one query.' })
  service(): string {
    return 'portage';
  }

  @Mutation(() => ObtainPlatformToken, {
    description: 'Exchanges an API key or a refresh token for an access token.',
  })
  async obtainPlatformToken(
    @Args('input') { APIKey, refreshToken }: ObtainPlatformTokenInput,
    // The context and not its reply, because Nest awaits arguments and a reply is a promise of its own response.
    @Context() { reply }: { reply: FastifyReply },
  ): Promise<ObtainedToken> {
    if (APIKey && !refreshToken) return this.attempts.obtain(reply.request.ip, { APIKey });
    if (refreshToken && !APIKey) return this.attempts.obtain(reply.request.ip, { refreshToken });
    throw new PortageError('validation_error', 'Give either APIKey or refreshToken.');
  }
}
