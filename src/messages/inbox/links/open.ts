import { eq, lt } from 'drizzle-orm'
import { z } from 'zod'
import { rateLimitKey } from '../../../kernel/http/requests.ts'
import { defineJob } from '../../../kernel/jobs.ts'
import type { Db } from '../../../kernel/postgres/database.ts'
import { isRefusal, refuse } from '../../../kernel/refusal.ts'
import type { Scope } from '../../../kernel/scope.ts'
import { unseal } from '../../../kernel/seal.ts'
import { hashToken } from '../../../kernel/tokens.ts'
import { transact } from '../../../kernel/postgres/transact.ts'
import { languageOf } from '../../../crm/contacts/service.ts'
import { contacts } from '../../../crm/contacts/table.ts'
import { recordChange } from '../../../platform/audit/service.ts'
import type { Attempts } from '../../../platform/auth/service.ts'
import { toLanguage } from '../../../shared/translations.ts'
import { announceConversation } from '../announce.ts'
import { chooseRecipient } from '../recipient.ts'
import { textPatient } from '../sms/start.ts'
import { conversations, messages, textLinks } from '../table.ts'
import { keptDays, textLinkState } from '../link-rules.ts'
import { plainText } from '../text-rules.ts'
import { inboxTexts } from '../texts.ts'
import { targetPurpose } from './shorten.ts'

type Link = typeof textLinks.$inferSelect

/**
 * The answer to a code that no link has: null, or a refusal once a network address has sent too many of them. Codes of links are not counted,
 * because a carrier gives many patients one address.
 */
const answerUnknown = async (scope: Scope, attempts: Attempts) =>
  (await attempts.consume('textLink', rateLimitKey(scope.origin.address))) ? null : refuse('TOO_MANY_REQUESTS')

/** A link with its conversation and its patient. Locked with `lock`. */
async function findLink(db: Db, code: string, { lock }: { lock: boolean }) {
  const query = db
    .select({ link: textLinks, conversationId: conversations.id, contactId: contacts.id, language: contacts.preferredLanguage })
    .from(textLinks)
    .innerJoin(messages, eq(messages.id, textLinks.messageId))
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .innerJoin(contacts, eq(contacts.id, conversations.contactId))
    .where(eq(textLinks.codeHash, hashToken(code)))
  const [found] = lock ? await query.for('update', { of: textLinks }) : await query
  return found ?? null
}

const isOver = ({ now }: Pick<Scope, 'now'>, { until }: Link): boolean => until !== null && until <= now()

/** Whether a link can be opened; opens nothing, because programs that show previews look at links too. Null: it is unknown. */
export async function viewTextLink(scope: Scope, attempts: Attempts, code: string) {
  const found = await findLink(scope.db, code, { lock: false })
  if (!found) return answerUnknown(scope, attempts)
  const { link, language } = found
  return {
    state: textLinkState(scope.now(), link),
    purpose: link.purpose,
    canRenew: !isOver(scope, link),
    language: toLanguage(language),
  }
}

/** Opens a link and records it. The same link opens again for a few minutes, and is used after that. */
export async function openTextLink(scope: Scope, attempts: Attempts, code: string) {
  const opened = await transact(scope.db, async (tx) => {
    const found = await findLink(tx, code, { lock: true })
    const path = found && unseal(scope.env, targetPurpose, found.link.sealedPath)
    if (!found || path === null) return null
    const { link, conversationId, contactId } = found
    const state = textLinkState(scope.now(), link)
    if (state !== 'ready') return refuse(state === 'used' ? 'USED' : 'EXPIRED')
    if (link.openedAt === null) {
      const openedAt = scope.now()
      await tx.update(textLinks).set({ openedAt }).where(eq(textLinks.id, link.id))
      const after = { messageId: link.messageId, purpose: link.purpose, openedAt }
      await recordChange(tx, scope, { action: 'changed', kind: 'text link', contactIds: [contactId], after })
      await announceConversation(tx, conversationId)
    }
    return { path }
  })
  return opened ?? answerUnknown(scope, attempts)
}

/** Texts the patient a new link to the same page, at a number in their record. NOT_POSSIBLE: what it opens is over, or no number gets texts. */
export async function renewTextLink(scope: Scope, attempts: Attempts, { code, key }: { code: string; key: string }) {
  const known = await findLink(scope.db, code, { lock: false })
  if (!known) return answerUnknown(scope, attempts)
  if (!(await attempts.consume('textLinkRenewal', known.contactId))) return refuse('TOO_MANY_REQUESTS')
  return transact(scope.db, async (tx) => {
    const found = await findLink(tx, code, { lock: true })
    const path = found && unseal(scope.env, targetPurpose, found.link.sealedPath)
    if (!found || path === null) return null
    const { link, contactId } = found
    if (isOver(scope, link) || textLinkState(scope.now(), link) === 'ready') return refuse('NOT_POSSIBLE')
    const recipient = await chooseRecipient(tx, scope, { contactId, channel: 'text', isCommercial: false })
    if (isRefusal(recipient)) return refuse('NOT_POSSIBLE')
    const { APP_URL, PRACTICE_NAME: practice } = scope.env
    const shown = APP_URL + link.shownPath
    const sent = await textPatient(tx, scope, {
      contactId,
      number: recipient.address,
      text: plainText(inboxTexts[await languageOf(tx, contactId)]('newLink', { practice, link: shown })),
      html: null,
      isCommercial: false,
      documentIds: [],
      secret: { standsFor: shown, value: APP_URL + path },
      linksUntil: link.until,
      idempotencyKey: key,
    })
    return isRefusal(sent) ? refuse('NOT_POSSIBLE') : { isSent: true as const }
  })
}

/** Deletes links that expired long ago. */
export const purgeTextLinks = defineJob({
  name: 'inbox.purge-text-links',
  payload: z.object({}),
  cron: '47 7 * * *',
  async run({ db, now }) {
    await db.delete(textLinks).where(lt(textLinks.expiresAt, new Date(now().getTime() - keptDays * 86_400_000)))
  },
})
