import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { PortalFrame } from '../../../ui/patient/PortalFrame.tsx'
import { useLanguage } from '../../../ui/patient/language.ts'
import { PortalSkeleton } from '../../../ui/patient/parts.tsx'
import { signingTexts } from '../../../chart/consent-forms/web/embed/texts.ts'
import { type Credentials, signOut, verifyCode } from '../calls.ts'
import { portalTexts } from '../texts.ts'
import { type CodeStage, CodeStages, requestAgain } from '../CodeStages.tsx'
import { Outcome } from '../Outcome.tsx'
import { useIdle } from '../useIdle.ts'
import { type ClosedCode, fetchConsent } from './consent-calls.ts'
import type { SignEnding } from './SignStage.tsx'

/** Why the patient is at the first step again. */
type Notice = 'signedOut' | 'sessionOver'
type Stage = CodeStage<Notice> | { name: 'signing'; session: Credentials } | { name: 'over'; as: 'signed' | 'declined' | ClosedCode }

// Loaded while the patient looks for the code.
const loadSigning = () => import('./SignStage.tsx')
const SignStage = lazy(loadSigning)

const inUrl = (name: string) => new URLSearchParams(location.search).get(name)?.trim() ?? ''
const consentId = () => location.pathname.split('/')[2] ?? ''

/** /consents/{id}: a code from the patient's email, as in the portal, then the consent form. The session is kept only in this component. */
export default function ConsentPage() {
  const language = useLanguage()
  const [email, setEmail] = useState(() => inUrl('email'))
  const [stage, setStage] = useState<Stage>({ name: 'request', notice: null, isBack: false })
  const lastCall = useRef(0)
  const t = signingTexts[language]
  const recordCall = () => {
    lastCall.current = Date.now()
  }
  const back = (notice: Notice) => setStage(requestAgain(notice))

  function end(session: Credentials, ending: SignEnding) {
    if (ending === 'SESSION_OVER') return back('sessionOver')
    void signOut(session)
    setStage({ name: 'over', as: ending === 'SIGNED_NOW' ? 'signed' : ending === 'DECLINED_NOW' ? 'declined' : ending })
  }
  function leave(session: Credentials, notice: Notice) {
    void signOut(session)
    back(notice)
  }

  return (
    <PortalFrame
      title={t('title')}
      announcement={
        stage.name === 'verify' ? portalTexts[language]('codeIntro') : stage.name === 'signing' ? portalTexts[language]('signedIn') : ''
      }
      narrow={stage.name !== 'signing'}
      wide={stage.name === 'signing'}
      onSignOut={stage.name === 'signing' ? () => leave(stage.session, 'signedOut') : undefined}
    >
      {(stage.name === 'request' || stage.name === 'verify') && (
        <CodeStages
          title={t('title')}
          email={email}
          onEmail={setEmail}
          stage={stage}
          onStage={setStage}
          describe={(notice) => ({ text: t(notice), isError: notice === 'sessionOver' })}
          opens={{ kind: 'consent form', id: consentId() }}
          onSent={() => void loadSigning().catch(() => undefined)}
          verify={verifyCode}
          onVerified={(session) => {
            recordCall()
            setStage({ name: 'signing', session })
          }}
        />
      )}
      {stage.name === 'signing' && (
        <Suspense fallback={<PortalSkeleton rows={6} />}>
          <SignOutWhenIdle
            session={stage.session}
            lastCall={lastCall}
            onCalled={recordCall}
            onIdle={() => leave(stage.session, 'sessionOver')}
          />
          <SignStage
            session={stage.session}
            consentId={consentId()}
            language={language}
            onCalled={recordCall}
            onEnd={(ending) => end(stage.session, ending)}
          />
        </Suspense>
      )}
      {stage.name === 'over' &&
        (stage.as === 'signed' || stage.as === 'declined' ? (
          <Outcome title={t(`${stage.as}Title`)} isDone={stage.as === 'signed'} portalEmail={email}>
            {t(stage.as)}
          </Outcome>
        ) : (
          <Outcome title={t(`closedTitles.${stage.as}`)} portalEmail={email}>
            {t(`closed.${stage.as}`)}
          </Outcome>
        ))}
    </PortalFrame>
  )
}

interface SignOutWhenIdleProps {
  session: Credentials
  lastCall: RefObject<number>
  onCalled: () => void
  onIdle: () => void
}

function SignOutWhenIdle({ session, lastCall, onCalled, onIdle }: SignOutWhenIdleProps) {
  useIdle({
    lastCall,
    extendSession: async () => {
      await fetchConsent(session, consentId())
      onCalled()
    },
    onEnd: onIdle,
  })
  return null
}
