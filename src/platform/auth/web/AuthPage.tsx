import { useEffect, useState } from 'react'
import { enterAs, usePractice, useSession } from '../../../ui/client/session.ts'
import { TabPanel, Tabs } from '../../../ui/display/Tabs.tsx'
import { toast } from '../../../ui/overlays/toast.ts'
import { type Loadable, loadable, useLoaded } from '../../../ui/hooks/useLoaded.ts'
import { AuthFrame, inlineLink } from './AuthFrame.tsx'
import { SignInForm } from './SignInForm.tsx'
import { SsoButton } from './SsoButton.tsx'
import { SignUpForm } from './SignUpForm.tsx'

const secondStep: Loadable<typeof import('./SecondStepForm.tsx')> = loadable(() => import('./SecondStepForm.tsx'))

const tabs = [
  { value: 'login', label: 'Login' },
  { value: 'sign-up', label: 'Sign Up' },
] as const

export default function AuthPage() {
  const [tab, setTab] = useState<'login' | 'sign-up'>('login')
  /** The password was correct; a code is required. */
  const [isSecondStep, setSecondStep] = useState(false)
  const { user } = useSession()
  const { sso } = usePractice()
  const [isPassword, setPassword] = useState(false)

  // Spec 2: signed-in users are redirected away.
  useEffect(() => {
    if (user) enterAs(user)
  }, [user])

  if (isSecondStep) {
    return (
      <AuthFrame title="One more step">
        <SecondStep onOver={() => setSecondStep(false)} />
      </AuthFrame>
    )
  }
  if (sso?.isOnly) {
    return (
      <AuthFrame title="Welcome">
        <div className="flex flex-col gap-5">
          <SsoButton name={sso.name} />
          {isPassword ? (
            <>
              <Or />
              <SignInForm onSecondStep={() => setSecondStep(true)} />
            </>
          ) : (
            <button type="button" className={`${inlineLink} self-center text-sm`} onClick={() => setPassword(true)}>
              Use a password
            </button>
          )}
        </div>
      </AuthFrame>
    )
  }
  const login = tab === 'login'
  return (
    <AuthFrame
      title="Welcome"
      flush
      footer={
        <>
          {login ? 'No account yet?' : 'Have an account already?'}{' '}
          <button type="button" className={inlineLink} onClick={() => setTab(login ? 'sign-up' : 'login')}>
            {login ? 'Sign Up' : 'Login'}
          </button>
        </>
      }
    >
      <Tabs aria-label="Login or Sign Up" value={tab} onValueChange={setTab} items={tabs}>
        <TabPanel value="login" className="px-4 pt-5 pb-6 md:px-6">
          {sso && (
            <div className="flex flex-col gap-5 pb-5">
              <SsoButton name={sso.name} />
              <Or />
            </div>
          )}
          <SignInForm onSecondStep={() => setSecondStep(true)} />
        </TabPanel>
        <TabPanel value="sign-up" className="px-4 pt-5 pb-6 md:px-6">
          <SignUpForm onSignedUp={() => setTab('login')} />
        </TabPanel>
      </Tabs>
    </AuthFrame>
  )
}

const Or = () => (
  <p className="flex items-center gap-3 text-xs text-fg-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
    or
  </p>
)

function SecondStep({ onOver }: { onOver: () => void }) {
  const loaded = useLoaded(secondStep, () => {
    onOver()
    toast.single('error', 'Error signing in', 'The connection was lost. Please try again.')
  })
  if (!loaded) return null
  const { default: SecondStepForm } = loaded
  return <SecondStepForm onOver={onOver} />
}
