import { and, eq } from 'drizzle-orm'
import type { Identity } from '../../../integrations/oidc/client.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import { publish } from '../../../kernel/events/events.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import type { Role } from '../../../kernel/access/rules.ts'
import { isOfCompany } from '../../../shared/domains.ts'
import { recordChange } from '../../audit/service.ts'
import { notifyPerson } from '../account/account-emails.ts'
import { useInvitation } from '../people/invitations.ts'
import { lockAccounts } from '../people/lock-accounts.ts'
import { followGroups } from '../people/people.ts'
import { namesOf, roleOfGroups } from '../rules.ts'
import { endSessions } from '../sessions/session-expiry.ts'
import { accounts, profiles, twoFactors } from '../table.ts'

type Profile = typeof profiles.$inferSelect

const google = 'https://accounts.google.com'
/** A new account's role if no groups decide it. */
const defaultRole: Role = 'front_desk'

/**
 * The account of someone who signed in at the provider. Their subject there identifies them. Only the first time does the verified address
 * count: it links an existing account, or creates one for an address of OIDC_DOMAINS or with an invitation. Refusals carry the account's id.
 */
export async function admit(scope: Scope, identity: Identity) {
  const { OIDC_DOMAINS, OIDC_ROLES } = scope.env
  const { email } = identity
  if (!email || !identity.isEmailVerified) return refuse('PROVIDER_EMAIL_NOT_VERIFIED', { id: null })
  // Anyone can have an account at Google, with almost any address. Only Workspace states whose organization it belongs to.
  if (identity.issuer === google && !OIDC_DOMAINS.includes(identity.hostedDomain ?? '')) return refuse('NO_ACCOUNT', { id: null })
  const role = OIDC_ROLES.length > 0 ? roleOfGroups(OIDC_ROLES, identity.groups) : undefined

  return scope.db.transaction(async (tx) => {
    await lockAccounts(tx)
    const linked = await linkedAccount(tx, identity)
    const known = linked ?? (await accountOf(tx, email))
    const id = known?.id ?? null
    if (known?.status === 'disabled') return refuse('ACCOUNT_DISABLED', { id })
    if (known && !linked && (await hasIdentity(tx, known.id, identity.issuer))) return refuse('OTHER_IDENTITY', { id })
    if (role === null) return refuse('NO_ROLE', { id })
    if (linked && linked.status === 'active') return role === undefined ? linked : followGroups(tx, scope, linked, role)
    if (known?.status === 'active') {
      await link(tx, scope, known, identity)
      return role === undefined ? known : followGroups(tx, scope, known, role)
    }
    const invitedAs = await useInvitation(tx, scope, email)
    if (!invitedAs && !isOfCompany(email, OIDC_DOMAINS)) return refuse('NO_ACCOUNT', { id })
    const made = await activate(tx, scope, known, { ...identity, email }, role ?? invitedAs ?? defaultRole)
    if (!linked) await insertLink(tx, made.id, identity)
    return made
  })
}

const providerOf = (issuer: string): string => `oidc ${issuer}`

export async function linkedAccount(tx: Db, { issuer, subject }: Identity): Promise<Profile | null> {
  const [row] = await tx
    .select({ profile: profiles })
    .from(accounts)
    .innerJoin(profiles, eq(profiles.id, accounts.userId))
    .where(and(eq(accounts.providerId, providerOf(issuer)), eq(accounts.accountId, subject)))
  return row?.profile ?? null
}

async function accountOf(tx: Db, email: string): Promise<Profile | null> {
  const [row] = await tx.select().from(profiles).where(eq(profiles.email, email))
  return row ?? null
}

async function hasIdentity(tx: Db, userId: string, issuer: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.userId, userId), eq(accounts.providerId, providerOf(issuer))))
  return row !== undefined
}

const insertLink = (tx: Db, userId: string, { issuer, subject }: Identity) =>
  tx.insert(accounts).values({ userId, providerId: providerOf(issuer), accountId: subject })

async function link(tx: Db, scope: Scope, account: Profile, identity: Identity): Promise<void> {
  await insertLink(tx, account.id, identity)
  if (!account.emailVerified) {
    await dropUnverified(tx, account.id)
    await tx.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, account.id))
  }
  const after = { id: account.id, email: account.email, singleSignOn: 'Linked' }
  await recordChange(tx, scope, { action: 'changed', kind: 'account', contactIds: [], after })
  await notifyPerson(tx, scope, account, { what: 'sso-linked' })
}

/** Removes what someone set who never proved that the address is theirs. */
async function dropUnverified(tx: Db, userId: string): Promise<void> {
  await tx.delete(accounts).where(and(eq(accounts.userId, userId), eq(accounts.providerId, 'credential')))
  await tx.delete(twoFactors).where(eq(twoFactors.userId, userId))
  await tx.update(profiles).set({ twoFactorEnabled: false }).where(eq(profiles.id, userId))
}

/**
 * Creates an active account, or activates one that signed up under the address and was never let in. That may have been anyone, so its
 * password, sessions and second factor are dropped unless its address was verified.
 */
async function activate(tx: Db, scope: Scope, before: Profile | null, person: Identity & { email: string }, role: Role): Promise<Profile> {
  const { email } = person
  const active = { status: 'active' as const, emailVerified: true, role, updatedAt: scope.now() }
  if (before) await endSessions(tx, before.id)
  if (before && !before.emailVerified) await dropUnverified(tx, before.id)
  const { firstName, lastName } = namesOf({ ...person, email })
  const names = before?.emailVerified ? {} : { firstName, lastName, name: `${firstName} ${lastName}`.trim() }
  const [row] = before
    ? await tx
        .update(profiles)
        .set({ ...active, ...names })
        .where(eq(profiles.id, before.id))
        .returning()
    : await tx
        .insert(profiles)
        .values({ email, firstName, lastName, name: `${firstName} ${lastName}`.trim(), ...active })
        .returning()
  const after = { id: row!.id, email, role, status: 'active', singleSignOn: 'Linked' }
  await recordChange(tx, scope, {
    action: before ? 'changed' : 'created',
    kind: 'account',
    contactIds: [],
    ...(before && { before: { id: before.id, role: before.role, status: before.status } }),
    after,
  })
  await publish(tx, 'people', row!.id)
  return row!
}
