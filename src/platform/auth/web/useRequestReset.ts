import { useForm } from 'react-hook-form'
import { toast } from '../../../ui/toast.ts'
import { check, loadCalls } from './load.ts'

/** The form that asks for a reset link, in the dialog and on its own page. `send` is true once the link was asked for. */
export function useRequestReset() {
  const form = useForm({ defaultValues: { email: '' }, resolver: check((checks) => checks.address) })

  async function send(values: { email: string }): Promise<boolean> {
    const { client, messageOf } = await loadCalls()
    try {
      await client.auth.requestPasswordReset(values)
      toast.single('success', 'Password reset email sent', 'Check your email for a link to reset your password.')
      return true
    } catch (error) {
      toast.single('error', 'Error sending reset email', messageOf(error))
      return false
    }
  }

  return { form, send }
}
