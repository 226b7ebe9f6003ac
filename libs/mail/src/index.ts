export { welcomeEmail, type WelcomeFacts } from './welcome-email';
