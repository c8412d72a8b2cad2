import { useState } from 'react'
import { Loading } from '../../../ui/layout/Loading.tsx'
import { leaveTo, useSession } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { AuthFrame, inlineLink } from './AuthFrame.tsx'
import { tokenOfLink } from './link.ts'
import SecondStepForm from './SecondStepForm.tsx'
import { UpdatePasswordForm } from './UpdatePasswordForm.tsx'

/** Opened from a reset email or by a signed-in user. */
export default function UpdatePasswordPage() {
  const [needsCode, setNeedsCode] = useState(false)
  const token = tokenOfLink()
  const { user, loading } = useSession()
  if (needsCode) {
    return (
      <AuthFrame title="Enter your code" lead="Your password has been updated.">
        {/* Spec 2: after a new password go to /, not to the previous page. */}
        <SecondStepForm onIn={({ status }) => leaveTo(status === 'active' ? '/' : '/pending')} onOver={() => leaveTo('/auth')} />
      </AuthFrame>
    )
  }
  if (!token && loading) return <Loading />
  if (!token && !user) {
    return (
      <AuthFrame title="This link is not complete" lead="Please open the link from the email again, or ask for a new one.">
        <Button asChild variant="filled" size="lg" block>
          <a href="/reset-password">Send me a new link</a>
        </Button>
      </AuthFrame>
    )
  }
  return (
    <AuthFrame
      title="Set a new password"
      lead="Every device that is signed in to your account will be signed out."
      footer={
        <a href={user ? '/' : '/auth'} className={inlineLink}>
          {user ? 'Return to Home' : 'Back to Login'}
        </a>
      }
    >
      <UpdatePasswordForm token={token} onSecondStep={() => setNeedsCode(true)} />
    </AuthFrame>
  )
}
