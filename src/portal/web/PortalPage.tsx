import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../ui/patient/language.ts'
import { PortalSkeleton } from '../../ui/patient/parts.tsx'
import { type CodeStage, CodeStages, requestAgain } from './CodeStages.tsx'
import { type PatientSession, signOut, verifyAccess } from './calls.ts'
import { PortalFrame } from '../../ui/patient/PortalFrame.tsx'
import { portalTexts } from './texts.ts'
import { useView } from './useView.ts'

/** Why the patient is at the first step again. */
type Notice = 'signedOut' | 'idle' | 'sessionOver'
type Stage = CodeStage<Notice> | { name: 'authenticated'; session: PatientSession }

// Preloaded while the patient looks for the code.
const loadStage = () => import('./PatientStage.tsx')
const PatientStage = lazy(loadStage)

const addressInUrl = () => new URLSearchParams(location.search).get('email')?.trim() ?? ''

/** Keeps the email address in the URL, so that a reload only asks for a new code. */
function storeEmailInUrl(email: string) {
  const url = new URL(location.href)
  url.searchParams.set('email', email)
  history.replaceState(history.state, '', url)
}

/** /PatientDocuments (spec 2) and /portal, which begins with the home: request, verify, authenticated. The session is kept only in this component, so a reload ends it. */
export default function PortalPage() {
  const t = useTexts(portalTexts)
  const [email, setEmail] = useState(addressInUrl)
  const [stage, setStage] = useState<Stage>({ name: 'request', notice: null, isBack: false })

  const isPortal = /^\/portal\b/i.test(location.pathname)
  const view = useView(isPortal ? 'home' : 'documents')
  const title = isPortal ? t('portalTitle') : t('title')

  const back = (notice: Notice | null) => setStage(requestAgain(notice))
  const announcement = { request: '', verify: t('codeIntro'), authenticated: t('signedIn') }[stage.name]
  const textOf = (notice: Notice) => (notice === 'sessionOver' ? t('problems.sessionOver') : t(notice))

  function leave(session: PatientSession, notice: Notice) {
    void signOut(session)
    back(notice)
  }

  return (
    <PortalFrame
      title={title}
      announcement={announcement}
      narrow={stage.name !== 'authenticated'}
      wide={stage.name === 'authenticated' && view.startsWith('consent-')}
      onSignOut={stage.name === 'authenticated' ? () => leave(stage.session, 'signedOut') : undefined}
    >
      {stage.name !== 'authenticated' && (
        <CodeStages
          title={title}
          email={email}
          onEmail={setEmail}
          stage={stage}
          onStage={setStage}
          describe={(notice) => ({ text: textOf(notice), isError: notice !== 'signedOut' })}
          opens={null}
          onSent={(address) => {
            void loadStage().catch(() => undefined)
            storeEmailInUrl(address)
          }}
          verify={verifyAccess}
          onVerified={(session) => setStage({ name: 'authenticated', session })}
        />
      )}
      {stage.name === 'authenticated' && (
        <Suspense fallback={<PortalSkeleton rows={4} className="pt-6" />}>
          <PatientStage
            session={stage.session}
            view={view}
            documentsTitle={isPortal ? t('documents') : t('title')}
            onOver={() => back('sessionOver')}
            onIdle={() => leave(stage.session, 'idle')}
            onSignOut={() => leave(stage.session, 'signedOut')}
          />
        </Suspense>
      )}
    </PortalFrame>
  )
}
