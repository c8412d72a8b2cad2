import { refuse } from '../../kernel/refusal.ts'
import type { Scope } from '../../kernel/scope.ts'
import { filesOfAnswers } from './files.ts'
import { fileIdsOf } from './rules.ts'
import { findForm, toSentForm } from './sending.ts'

/** A submitted form with its answers, for those who see answers; the view is logged. Null: no such form. */
export async function getForm(scope: Scope, id: string) {
  const found = await findForm(scope.db, id)
  if (!found) return null
  if (found.form.status !== 'submitted') return refuse('NOT_SUBMITTED')
  await scope.recordView({ kind: 'form', contactIds: [found.form.contactId] })
  const { answers, redFlags } = found.form
  const { definition } = found.version
  const files = await filesOfAnswers(scope.db, found.form.contactId, fileIdsOf(definition, answers))
  return { ...toSentForm(scope, found), definition, answers, redFlags, files }
}
