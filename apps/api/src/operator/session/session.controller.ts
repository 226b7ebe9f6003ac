import { Body, Controller, Delete, Get, HttpCode, Post, Put, Req, Res } from '@nestjs/common';
import { ApiBody, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  DEVICE_SECONDS,
  EnrolledTotp,
  LogIn,
  type LoginClient,
  OperatorAccount,
  OperatorSessions,
  SessionView,
  type SignedInOperator,
} from '@portage/operators';
import { PortageError } from '@portage/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentOperator } from '../current-operator';
import { RequiresRole } from '../operator-session.guard';
import { clearCookie, readCookie, setCookie } from '../session-cookie';
import { Endpoint } from '../../http/endpoint';
import { ChangePasswordRequest, ConfirmTotpRequest, LoginRequest, PasswordRequest } from './session.dto';
import { exampleSession } from './session.examples';

/** The session of an operator: login with a password, second factor, own password, logout. */
@ApiTags('Sessions')
@Controller('operator/v1/session')
export class SessionController {
  constructor(
    private readonly logIn: LogIn,
    private readonly sessions: OperatorSessions,
    private readonly account: OperatorAccount,
  ) {}

  @Post()
  @HttpCode(201)
  @Endpoint({
    id: 'logIn',
    summary: 'Sign in with a password',
    description:
      'Sets the cookie of the session: HttpOnly, SameSite=Strict, and Secure except for http to this machine. The session that the client had ends. The answer is the same for a wrong password, an unknown name and a disabled operator. Wrong passwords are limited by address and by name; a second cookie lets the device be recognised at later logins, so that it does not wait for strangers.',
    errors: ['validation_error', 'operator_login_failed', 'totp_required', 'throttled'],
  })
  @ApiBody({
    type: LoginRequest,
    examples: {
      password: { value: { name: 'ada', password: 'correct horse battery staple' } },
      code: { value: { name: 'ada', password: 'correct horse battery staple', totp: '287082' } },
    },
  })
  @ApiCreatedResponse({ description: 'The session.', type: SessionView, example: exampleSession })
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { name, password, totp }: LoginRequest,
  ): Promise<SessionView> {
    const previousToken = readCookie(request, 'session');
    const login = { name, password, totp: totp ?? undefined, client: clientOf(request), previousToken };
    const outcome = await this.logIn.withPassword(login);
    if (outcome.outcome === 'totp-required')
      throw new PortageError('totp_required', 'Send the code of your authenticator as totp.');
    if (outcome.outcome === 'failed')
      throw new PortageError('operator_login_failed', 'Name, password or code is wrong.');
    setCookie(request, reply, 'session', outcome.token);
    setCookie(request, reply, 'device', outcome.device, DEVICE_SECONDS);
    return this.show(outcome.token);
  }

  @Get()
  @RequiresRole('viewer')
  @Endpoint({
    id: 'readSession',
    summary: 'Read the session',
    description: 'The operator, with the role of this moment, and the token for changing requests.',
  })
  @ApiOkResponse({ description: 'The session.', type: SessionView, example: exampleSession })
  async read(@Req() request: FastifyRequest): Promise<SessionView> {
    return this.show(readCookie(request, 'session'));
  }

  @Delete()
  @HttpCode(204)
  @RequiresRole('viewer')
  @Endpoint({
    id: 'logOut',
    summary: 'Sign out',
    description: 'Ends the session, also its open streams, and makes the browser forget the cookie.',
  })
  @ApiNoContentResponse({ description: 'The session has ended.' })
  async end(
    @CurrentOperator() operator: SignedInOperator,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.logOut(operator);
    clearCookie(request, reply, 'session');
  }

  @Post('password')
  @HttpCode(204)
  @RequiresRole('viewer')
  @Endpoint({
    id: 'changePassword',
    summary: 'Choose another password',
    description:
      'Ends the other sessions of the operator. A password has 12 to 256 characters, at least 5 different ones, and not the name of the operator.',
    errors: ['validation_error', 'throttled'],
  })
  @ApiBody({
    type: ChangePasswordRequest,
    examples: {
      password: {
        value: { current_password: 'w7k2m-4xq9p-aa8nd-t3vzc', new_password: 'correct horse battery staple' },
      },
    },
  })
  @ApiNoContentResponse({ description: 'The password is stored.' })
  async changePassword(
    @CurrentOperator() operator: SignedInOperator,
    @Req() request: FastifyRequest,
    @Body() { current_password: current, new_password: next }: ChangePasswordRequest,
  ): Promise<void> {
    await this.account.changePassword(operator, clientOf(request), current, next);
  }

  @Post('totp')
  @HttpCode(200)
  @RequiresRole('viewer')
  @Endpoint({
    id: 'enrolTotp',
    summary: 'Set up a second factor',
    description:
      'Makes a secret for an authenticator (TOTP, RFC 6238). Logins need its codes once a code has confirmed it. A secret that was not confirmed is replaced.',
    errors: ['validation_error', 'throttled'],
  })
  @ApiBody({
    type: PasswordRequest,
    examples: { password: { value: { password: 'correct horse battery staple' } } },
  })
  @ApiOkResponse({
    description: 'The secret.',
    type: EnrolledTotp,
    example: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      uri: 'otpauth://totp/Portage:ada?issuer=Portage&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30',
    },
  })
  async enrolTotp(
    @CurrentOperator() operator: SignedInOperator,
    @Req() request: FastifyRequest,
    @Body() { password }: PasswordRequest,
  ): Promise<EnrolledTotp> {
    return this.account.enrolTotp(operator, clientOf(request), password);
  }

  @Put('totp')
  @HttpCode(204)
  @RequiresRole('viewer')
  @Endpoint({
    id: 'confirmTotp',
    summary: 'Confirm the second factor',
    description: 'Each code is accepted once. Ends the other sessions of the operator.',
    errors: ['validation_error', 'throttled'],
  })
  @ApiBody({ type: ConfirmTotpRequest, examples: { code: { value: { code: '287082' } } } })
  @ApiNoContentResponse({ description: 'Further logins need a code.' })
  async confirmTotp(
    @CurrentOperator() operator: SignedInOperator,
    @Req() request: FastifyRequest,
    @Body() { code }: ConfirmTotpRequest,
  ): Promise<void> {
    await this.account.confirmTotp(operator, clientOf(request), code);
  }

  @Delete('totp')
  @HttpCode(204)
  @RequiresRole('viewer')
  @Endpoint({
    id: 'removeTotp',
    summary: 'Remove the second factor',
    description: 'An admin can remove it by resetting the password.',
    errors: ['validation_error', 'throttled'],
  })
  @ApiBody({
    type: PasswordRequest,
    examples: { password: { value: { password: 'correct horse battery staple' } } },
  })
  @ApiNoContentResponse({ description: 'Further logins need no code.' })
  async removeTotp(
    @CurrentOperator() operator: SignedInOperator,
    @Req() request: FastifyRequest,
    @Body() { password }: PasswordRequest,
  ): Promise<void> {
    await this.account.removeTotp(operator, clientOf(request), password);
  }

  private async show(token: string | undefined): Promise<SessionView> {
    const session = token === undefined ? undefined : await this.sessions.show(token);
    if (!session) throw new PortageError('operator_session_required', 'The session has ended.');
    return session;
  }
}

function clientOf(request: FastifyRequest): LoginClient {
  return { address: request.ip, device: readCookie(request, 'device') };
}
