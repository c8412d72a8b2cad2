import { APIError } from 'better-auth'
import type { Context } from '../context.ts'
import { isRefusal, refuse } from '../../kernel/refusal.ts'
import { recordNewPassword } from './audit-entries.ts'
import { mayUsePassword } from './people/emergency.ts'
import { endWithOldPassword } from './people/people.ts'
import { withProof } from './requests.ts'
import { ownerOfReset } from './service.ts'
import { enterWithNewPassword } from './sign-in.ts'

/** Sets a password by the emailed link, and signs in. */
export async function resetPassword(context: Context, token: string, password: string) {
  const owner = await ownerOfReset(context.db, token)
  if (owner && !(await mayUsePassword(context, { id: owner }))) return refuse('SSO_REQUIRED')
  const outcome = await refuseWith('LINK_INVALID', context.auth.api.resetPassword({ body: { newPassword: password, token } }))
  if (isRefusal(outcome)) return outcome
  if (!owner) return { next: 'sign-in' as const }
  await recordNewPassword(context, owner)
  return enterWithNewPassword(context, owner, password)
}

/** Replaces the actor's own password, given the current one, and signs in. */
export async function changePassword(context: Context, currentPassword: string, password: string) {
  const { actor } = context
  if (!actor) return refuse('UNAUTHORIZED')
  const body = { currentPassword, newPassword: password }
  const outcome = await withProof(context, () =>
    refuseWith('INVALID_CREDENTIALS', context.auth.api.changePassword({ body, headers: context.requestHeaders })),
  )
  if (isRefusal(outcome)) return outcome
  await recordNewPassword(context, actor.id)
  await endWithOldPassword(context.db, context, actor)
  context.events.notifyLocal({ topic: 'session', id: actor.id })
  return enterWithNewPassword(context, actor.id, password)
}

/** Returns the library's result, or this refusal if it refuses. */
async function refuseWith<const Code extends string>(code: Code, asked: Promise<unknown>) {
  try {
    await asked
    return true
  } catch (error) {
    if (error instanceof APIError) return refuse(code)
    throw error
  }
}
