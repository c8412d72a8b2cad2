import { bigint, boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { sql } from 'drizzle-orm'
import type { AccountStatus, Role } from '../../kernel/access/rules.ts'

const id = () =>
  uuid('id')
    .primaryKey()
    .default(sql`uuidv7()`)

/** Staff accounts (spec 3: profiles). The TypeScript keys are those the authentication library expects. */
export const profiles = pgTable('profiles', {
  id: id(),
  name: text('full_name').notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  role: text('role').$type<Role>().notNull().default('front_desk'),
  /** `pending` until the address is verified and, outside the company domains, an administrator has approved it. */
  status: text('status').$type<AccountStatus>().notNull().default('pending'),
  /** Whether sign-in requires an authenticator code. */
  twoFactorEnabled: boolean('two_factor_enabled').notNull().default(false),
  /** An administrator whose password still works when single sign-on is enforced ("break glass"). */
  emergencyAccess: boolean('emergency_access').notNull().default(false),
  createdAt: instant('created_at').notNull().defaultNow(),
  updatedAt: instant('updated_at').notNull().defaultNow(),
})

export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    token: text('token').notNull().unique(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** Last user activity reported by the browser. */
    seenAt: instant('seen_at').notNull().defaultNow(),
    /** Last sign-in or re-authentication. */
    provenAt: instant('proven_at').notNull().defaultNow(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('sessions_user_id').on(t.userId)],
)

/** Credentials: the password column holds an argon2id hash. For single sign-on, the provider's issuer and its id of the person. */
export const accounts = pgTable(
  'accounts',
  {
    id: id(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: instant('access_token_expires_at'),
    refreshTokenExpiresAt: instant('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('accounts_user_id').on(t.userId), uniqueIndex('accounts_provider_account').on(t.providerId, t.accountId)],
)

/** One-time values: password resets and email verification. */
export const verifications = pgTable(
  'verifications',
  {
    id: id(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [index('verifications_identifier').on(t.identifier)],
)

/** Authenticator secrets and recovery codes, encrypted by the authentication library. The profile stores whether they are in use. */
export const twoFactors = pgTable('two_factors', {
  id: id(),
  userId: uuid('user_id')
    .notNull()
    .unique()
    .references(() => profiles.id, { onDelete: 'cascade' }),
  secret: text('secret').notNull(),
  backupCodes: text('backup_codes').notNull(),
  verified: boolean('verified').notNull().default(false),
  failedVerificationCount: integer('failed_verification_count').notNull().default(0),
  lockedUntil: instant('locked_until'),
  /** Half minute since 1970 of the last accepted code: codes from it or earlier are refused (RFC 6238, 5.2). */
  lastStep: bigint('last_step', { mode: 'number' }),
})

/** Open invitations. Only a hash of the link is stored. */
export const invitations = pgTable('invitations', {
  id: id(),
  email: text('email').notNull().unique(),
  role: text('role').$type<Role>().notNull(),
  tokenHash: text('token_hash').notNull().unique(),
  invitedBy: uuid('invited_by')
    .notNull()
    .references(() => profiles.id, { onDelete: 'cascade' }),
  sentAt: instant('sent_at').notNull(),
  expiresAt: instant('expires_at').notNull(),
})

/** The one-time link for the first administrator: a hash of its token, deleted once used. */
export const setupTokens = pgTable('setup_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  createdAt: instant('created_at').notNull().defaultNow(),
})

/** Started attempts to connect another system or to sign in: the callback must name one, once, in time, from the same account or browser. */
export const oauthAttempts = pgTable('oauth_attempts', {
  stateHash: text('state_hash').primaryKey(),
  /** The system being connected. */
  purpose: text('purpose').notNull(),
  /** Null if no one is signed in yet. */
  userId: uuid('user_id').references(() => profiles.id, { onDelete: 'cascade' }),
  /** The hash of the cookie of the browser that started it; null if the account identifies it. */
  browserHash: text('browser_hash'),
  expiresAt: instant('expires_at').notNull(),
})

/** Public keys of passkeys (WebAuthn). */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    credentialId: text('credential_id').notNull().unique(),
    /** COSE key, in base64url. */
    publicKey: text('public_key').notNull(),
    /** Uses that the authenticator counted; 0 if it does not count. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at'),
  },
  (t) => [index('passkeys_user_id').on(t.userId)],
)

/** Attempt counters, shared by all processes. The columns are those of the rate-limiter-flexible package. */
export const rateLimits = pgTable('rate_limits', {
  key: text('key').primaryKey(),
  points: integer('points').notNull().default(0),
  expire: bigint('expire', { mode: 'number' }),
})
