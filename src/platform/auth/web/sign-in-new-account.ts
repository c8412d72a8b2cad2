import { enterAs, leaveTo } from '../../../ui/client/session.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { loadCalls } from './load.ts'

/** Signs in to a new account. If that fails, the account still exists and its link is used up. */
export async function enterNewAccount(credentials: { email: string; password: string }): Promise<void> {
  try {
    const { client } = await loadCalls()
    const user = await client.auth.signIn(credentials)
    if ('secondStep' in user) leaveTo('/auth')
    else enterAs(user)
  } catch {
    toast.keep('Your account is ready', 'Please sign in.')
    leaveTo('/auth')
  }
}
