import { ArrowLeft } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { whenIdle } from '../../ui/client/when-idle.ts'
import { useTexts } from '../../ui/patient/language.ts'
import { PortalButton, PortalSkeleton } from '../../ui/patient/parts.tsx'
import type { PatientSession } from './calls.ts'
import DocumentsView from './documents/DocumentsView.tsx'
import { useDocuments } from './documents/useDocuments.ts'
import { idleWarning, quoteDialog, uploadPanel, viewerDialog } from './lazy-dialogs.ts'
import { LazyDialog } from './LazyDialog.tsx'
import { QuotesSection } from './quotes/QuotesSection.tsx'
import { useQuotes } from './quotes/useQuotes.ts'
import { portalTexts } from './texts.ts'
import { useIdle } from './useIdle.ts'
import { showView } from './useView.ts'

const HomeView = lazy(() => import('./home/HomeView.tsx'))
const ConsentView = lazy(() => import('./home/ConsentView.tsx'))
const MessagesView = lazy(() => import('./messages/MessagesView.tsx'))
const ReceiptsView = lazy(() => import('./receipts/ReceiptsView.tsx'))
const PhotosView = lazy(() => import('./photos/PhotosView.tsx'))
const InstructionsView = lazy(() => import('./instructions/InstructionsView.tsx'))
const FormView = lazy(() => import('./home/FormView.tsx'))

interface PatientStageProps {
  session: PatientSession
  /** What is shown. */
  view: string
  documentsTitle: string
  onOver: () => void
  onIdle: () => void
  onSignOut: () => void
}

/** Everything behind the code. The session is in memory only, so the parts are views of one page. */
export default function PatientStage({ session, view, documentsTitle, onOver, onIdle, onSignOut }: PatientStageProps) {
  const t = useTexts(portalTexts)
  const documents = useDocuments(session, onOver)
  const { refetch, callTracked, recordCall, lastCall } = documents
  const quotes = useQuotes(session, callTracked)
  const [draft, setDraft] = useState('')
  const secondsLeft = useIdle({ lastCall, extendSession: refetch, onEnd: onIdle })

  useEffect(
    () =>
      whenIdle(() => {
        for (const code of [uploadPanel, viewerDialog, quoteDialog, idleWarning]) code.prepare()
      }),
    [],
  )

  return (
    <>
      {view !== 'home' && (
        <PortalButton variant="quiet" icon={<ArrowLeft />} className="-mt-4 mb-1 -ml-3 px-3 print:hidden" onClick={() => showView('home')}>
          {t('home')}
        </PortalButton>
      )}
      <Suspense fallback={<PortalSkeleton rows={4} className="pt-6" />}>
        {view === 'home' ? (
          <HomeView
            session={session}
            documentCount={documents.documents.length}
            quotes={quotes.quotes ?? []}
            callTracked={callTracked}
            onView={showView}
          />
        ) : view === 'quotes' || view.startsWith('quote-') ? (
          <QuotesSection key={view} quotes={quotes} isAlone openFirst={view.startsWith('quote-') ? view.slice('quote-'.length) : null} />
        ) : view === 'messages' ? (
          <MessagesView session={session} callTracked={callTracked} draft={draft} onDraft={setDraft} />
        ) : view === 'receipts' ? (
          <ReceiptsView session={session} callTracked={callTracked} />
        ) : view === 'photos' ? (
          <PhotosView session={session} callTracked={callTracked} />
        ) : view.startsWith('instructions-') ? (
          <InstructionsView key={view} session={session} surgeryId={view.slice('instructions-'.length)} callTracked={callTracked} />
        ) : view.startsWith('form-') ? (
          <FormView key={view} session={session} formId={view.slice('form-'.length)} lastCall={lastCall} onOver={onOver} />
        ) : view.startsWith('consent-') ? (
          <ConsentView key={view} session={session} consentId={view.slice('consent-'.length)} onCalled={recordCall} onOver={onOver} />
        ) : (
          <DocumentsView title={documentsTitle} session={session} documents={documents} quotes={quotes} />
        )}
      </Suspense>
      {secondsLeft !== null && (
        <LazyDialog code={idleWarning}>
          {({ default: IdleWarning }) => (
            <IdleWarning seconds={secondsLeft} onStay={() => void refetch().catch(() => undefined)} onSignOut={onSignOut} />
          )}
        </LazyDialog>
      )}
    </>
  )
}
