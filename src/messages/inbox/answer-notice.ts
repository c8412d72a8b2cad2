import { and, eq, gt, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { Env } from '../../kernel/env.ts'
import { defineJob } from '../../kernel/jobs.ts'
import type { Db } from '../../kernel/postgres/database.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { Mail } from '../../platform/mail/rules.ts'
import { handOver, patientMail, portalLink } from '../../platform/mail/service.ts'
import { type Language, toLanguage } from '../../shared/translations.ts'
import { announceConversation } from './announce.ts'
import { conversations, messages } from './table.ts'
import { inboxTexts } from './texts.ts'

/** A patient gets one email for the answers of an hour, in milliseconds, unless they read one in between. */
const noticeInterval = 60 * 60_000

/** Whether an answer in the portal that the patient has not read was announced in the last hour. */
export async function hasUnreadAnswer(tx: Db, { id }: { id: string }, now: Date): Promise<boolean> {
  const [row] = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, id),
        eq(messages.direction, 'outbound'),
        isNull(messages.readAt),
        gt(messages.createdAt, new Date(now.getTime() - noticeInterval)),
      ),
    )
    .limit(1)
  return row !== undefined
}

/** Emails a patient that an answer waits in the portal. If that is impossible, the message says why. */
export const sendAnswerNotice = defineJob({
  name: 'inbox.answer-notice',
  payload: z.object({ id: z.uuid() }),
  async run(scope, { id }, attempt) {
    const [found] = await scope.db
      .select({ readAt: messages.readAt, conversationId: conversations.id, email: contacts.email, language: contacts.preferredLanguage })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .innerJoin(contacts, eq(contacts.id, conversations.contactId))
      .where(eq(messages.id, id))
    if (!found || found.readAt !== null) return
    const { email, conversationId } = found
    const problem = email
      ? await handOver(scope, answerMail(scope.env, email, toLanguage(found.language) ?? 'en'), attempt)
      : 'there is no address in their record'
    if (problem === null) return
    await scope.db.transaction(async (tx) => {
      await tx
        .update(messages)
        .set({ problem: `The patient was not told by email: ${problem}.` })
        .where(eq(messages.id, id))
      await announceConversation(tx, conversationId)
    })
  },
})

/** Says that there is an answer, and nothing about it. */
function answerMail(env: Env, to: string, language: Language): Mail {
  const t = inboxTexts[language]
  const practice = env.PRACTICE_NAME
  return patientMail(env, to, language, {
    subject: t('answerSubject', { practice }),
    paragraphs: [t('answerIntro', { practice }), t('answerHowTo')],
    link: portalLink(env, to, language),
  })
}
