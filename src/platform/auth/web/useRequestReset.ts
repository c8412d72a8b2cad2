import { messageOf } from '../../../ui/client/refusal.ts'
import { toast } from '../../../ui/overlays/toast.ts'
import { useAuthForm } from './load.ts'

/** Logic of the reset-link form, used in the dialog and on its own page. */
export const useRequestReset = (onSent: (email: string) => void, onFailed?: () => void) =>
  useAuthForm({
    initial: { email: '' },
    check: (checks) => checks.address,
    async send(client, { email }) {
      await client.auth.requestPasswordReset({ email })
      return email
    },
    onDone(email) {
      toast.single('success', 'Password reset email sent', 'Check your email for a link to reset your password.')
      onSent(email)
    },
    // Spec 2: the dialog closes whatever the response; a toast reports the result.
    onRefused:
      onFailed &&
      ((error) => {
        onFailed()
        return { form: messageOf(error) }
      }),
    failed: 'Error sending reset email',
  })
