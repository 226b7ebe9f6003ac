import { Body, Controller, Delete, Get, Post, Put, Req, Res } from '@nestjs/common';
import {
  EnrolledTotp,
  LogIn,
  OperatorAccount,
  OperatorSessions,
  SessionView,
  type SignedInOperator,
} from '@portage/operators';
import { PortageError } from '@portage/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentOperator } from '../current-operator';
import { clearCookie, readCookie, setCookie } from '../session-cookie';
import { OperatorEndpoint } from '../operator-endpoint';
import { ChangePasswordRequest, ConfirmTotpRequest, LoginRequest, PasswordRequest } from './session.dto';

/** The session of an operator: login with a password, second factor, own password, logout. */
@Controller('operator/v1/session')
export class SessionController {
  constructor(
    private readonly logIn: LogIn,
    private readonly sessions: OperatorSessions,
    private readonly account: OperatorAccount,
  ) {}

  /**
   * Sets the cookie of the session: HttpOnly, SameSite=Strict, and Secure except for http to this machine. The
   * session that the client had ends. The answer is the same for a wrong password, an unknown name and a disabled
   * operator. Wrong passwords are limited by address and by name.
   */
  @Post()
  @OperatorEndpoint('public', 201)
  async create(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
    @Body() { name, password, totp }: LoginRequest,
  ): Promise<SessionView> {
    const previousToken = readCookie(request, 'session');
    const login = { name, password, totp: totp ?? undefined, address: request.ip, previousToken };
    const outcome = await this.logIn.withPassword(login);
    if (outcome.outcome === 'totp-required')
      throw new PortageError('totp_required', 'Send the code of your authenticator as totp.');
    if (outcome.outcome === 'failed')
      throw new PortageError('operator_login_failed', 'Name, password or code is wrong.');
    setCookie(request, reply, 'session', outcome.token);
    return this.show(outcome.token);
  }

  /** The operator, with the role of this moment. */
  @Get()
  @OperatorEndpoint('viewer')
  async read(@Req() request: FastifyRequest): Promise<SessionView> {
    return this.show(readCookie(request, 'session'));
  }

  /** Ends the session, also its open streams, and makes the browser forget the cookie. */
  @Delete()
  @OperatorEndpoint('viewer', 204)
  async end(
    @CurrentOperator() operator: SignedInOperator,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.sessions.logOut(operator);
    clearCookie(request, reply, 'session');
  }

  /**
   * Ends the other sessions of the operator. A password has 12 to 256 characters, at least 5 different ones, and not
   * the name of the operator.
   */
  @Post('password')
  @OperatorEndpoint('viewer', 204)
  async changePassword(
    @CurrentOperator() operator: SignedInOperator,
    @Req() request: FastifyRequest,
    @Body() { current_password: current, new_password: next }: ChangePasswordRequest,
  ): Promise<void> {
    await this.account.changePassword(operator, request.ip, current, next);
  }

  /**
   * Makes a secret for an authenticator (TOTP, RFC 6238). Logins need its codes once a code has confirmed it. A
   * secret that was not confirmed is replaced.
   */
  @Post('totp')
  @OperatorEndpoint('viewer')
  async enrolTotp(
    @CurrentOperator() operator: SignedInOperator,
    @Req() request: FastifyRequest,
    @Body() { password }: PasswordRequest,
  ): Promise<EnrolledTotp> {
    return this.account.enrolTotp(operator, request.ip, password);
  }

  /** Each code is accepted once. Ends the other sessions of the operator. */
  @Put('totp')
  @OperatorEndpoint('viewer', 204)
  async confirmTotp(
    @CurrentOperator() operator: SignedInOperator,
    @Req() request: FastifyRequest,
    @Body() { code }: ConfirmTotpRequest,
  ): Promise<void> {
    await this.account.confirmTotp(operator, request.ip, code);
  }

  /** An admin can remove it by resetting the password. */
  @Delete('totp')
  @OperatorEndpoint('viewer', 204)
  async removeTotp(
    @CurrentOperator() operator: SignedInOperator,
    @Req() request: FastifyRequest,
    @Body() { password }: PasswordRequest,
  ): Promise<void> {
    await this.account.removeTotp(operator, request.ip, password);
  }

  private async show(token: string | undefined): Promise<SessionView> {
    const session = token === undefined ? undefined : await this.sessions.show(token);
    if (!session) throw new PortageError('operator_session_required', 'The session has ended.');
    return session;
  }
}
