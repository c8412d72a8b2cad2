import { lazy, Suspense, useRef, useState } from 'react'
import { SkeletonRows } from '../../ui/display/Skeleton.tsx'
import { codeSeconds, portalMessages } from '../rules.ts'
import { type PatientSession, signOut, verifyAccess } from './calls.ts'
import { PortalFrame } from '../../ui/patient/PortalFrame.tsx'
import { RequestStage } from './RequestStage.tsx'
import { VerifyStage } from './VerifyStage.tsx'

type Stage =
  | { name: 'request'; notice: { text: string; isError: boolean } | null; isBack: boolean }
  | { name: 'verify'; until: number }
  | { name: 'authenticated'; session: PatientSession }

// Preloaded while the patient looks for the code.
const loadDocuments = () => import('./DocumentsStage.tsx')
const DocumentsStage = lazy(loadDocuments)

const addressInUrl = () => new URLSearchParams(location.search).get('email')?.trim() ?? ''

/** Keeps the email address in the URL, so that a reload only asks for a new code. */
function storeEmailInUrl(email: string) {
  const url = new URL(location.href)
  url.searchParams.set('email', email)
  history.replaceState(history.state, '', url)
}

/** /PatientDocuments: request, verify, authenticated (spec 2). The session is kept only in this component, so a reload ends it. */
export default function PortalPage() {
  const [email, setEmail] = useState(addressInUrl)
  const [stage, setStage] = useState<Stage>({ name: 'request', notice: null, isBack: false })
  const heading = useRef<HTMLHeadingElement>(null)

  const back = (notice: { text: string; isError: boolean } | null) => setStage({ name: 'request', notice, isBack: true })
  const announcement = {
    request: '',
    verify: 'Enter the 6-digit code sent to your email address.',
    authenticated: 'You are signed in.',
  }[stage.name]

  function leave(session: PatientSession, notice: { text: string; isError: boolean }) {
    void signOut(session)
    back(notice)
  }

  return (
    <PortalFrame
      announcement={announcement}
      narrow={stage.name !== 'authenticated'}
      onSignOut={stage.name === 'authenticated' ? () => leave(stage.session, { text: 'You are signed out.', isError: false }) : undefined}
    >
      <h1 ref={heading} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        Patient Document Portal
      </h1>
      {stage.name === 'request' && (
        <RequestStage
          email={email}
          onEmail={setEmail}
          notice={stage.notice}
          isBack={stage.isBack}
          onSent={(address) => {
            void loadDocuments().catch(() => undefined)
            storeEmailInUrl(address)
            setEmail(address)
            setStage({ name: 'verify', until: Date.now() + codeSeconds * 1000 })
          }}
        />
      )}
      {stage.name === 'verify' && (
        <VerifyStage
          email={email}
          until={stage.until}
          verify={verifyAccess}
          onVerified={(session) => setStage({ name: 'authenticated', session })}
          onResend={() => back(null)}
        />
      )}
      {stage.name === 'authenticated' && (
        <Suspense fallback={<SkeletonRows rows={4} className="pt-6" />}>
          <DocumentsStage
            session={stage.session}
            heading={heading}
            onOver={(text) => back({ text, isError: true })}
            onIdle={() => leave(stage.session, { text: portalMessages.idle, isError: true })}
            onSignOut={() => leave(stage.session, { text: 'You are signed out.', isError: false })}
          />
        </Suspense>
      )}
    </PortalFrame>
  )
}
