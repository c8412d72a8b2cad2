import { Lock } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { downloadBlob } from '../../ui/client/download-blob.ts'
import { whenIdle } from '../../ui/client/when-idle.ts'
import { safeName } from '../../documents/rules.ts'
import { isSessionOver, type PatientSession, type DocumentData } from './calls.ts'
import { DocumentList } from './documents/DocumentList.tsx'
import { idleWarning, quoteDialog, uploadPanel, viewerDialog } from './lazy-dialogs.ts'
import { useTexts } from '../../ui/patient/language.ts'
import { type DocumentProblem, documentTexts } from './documents/texts.ts'
import { LazyDialog } from './LazyDialog.tsx'
import { UploadSection } from './documents/UploadSection.tsx'
import { ConsentsSection } from './consents/ConsentsSection.tsx'
import { QuotesSection } from './quotes/QuotesSection.tsx'
import { useDocuments } from './documents/useDocuments.ts'
import { useFocusOnArrival } from './useFocusOnArrival.ts'
import { useIdle } from './useIdle.ts'

interface DocumentsStageProps {
  session: PatientSession
  heading: RefObject<HTMLHeadingElement | null>
  onOver: () => void
  onIdle: () => void
  onSignOut: () => void
}

export default function DocumentsStage({ session, heading, onOver, onIdle, onSignOut }: DocumentsStageProps) {
  const t = useTexts(documentTexts)
  const { documents, refetch, fileOf, callTracked, lastCall } = useDocuments(session, onOver)
  const [viewed, setViewed] = useState<DocumentData | null>(null)
  const [error, setError] = useState<DocumentProblem | null>(null)
  const secondsLeft = useIdle({ lastCall, extendSession: refetch, onEnd: onIdle })
  useFocusOnArrival(heading)

  useEffect(
    () =>
      whenIdle(() => {
        for (const code of [uploadPanel, viewerDialog, quoteDialog, idleWarning]) code.prepare()
      }),
    [],
  )

  async function download(document: DocumentData) {
    setError(null)
    try {
      downloadBlob(await fileOf(document), safeName(document.name))
    } catch (refused) {
      if (!isSessionOver(refused)) setError('download')
    }
  }

  async function showUploaded() {
    try {
      await refetch()
    } catch (refused) {
      // The page reloads if the list cannot be loaded (spec 4).
      if (!isSessionOver(refused)) location.reload()
    }
  }

  return (
    <>
      <p className="pt-1 text-portal text-fg-2">{t('welcome', { name: session.firstName })}</p>
      <p className="flex max-w-160 gap-3 pt-3 text-title leading-relaxed text-fg-2">
        <Lock aria-hidden="true" className="mt-0.5 size-4.5! text-accent-fg" />
        {t('trust')}
      </p>
      <div className="flex flex-col gap-5 pt-6">
        <UploadSection session={session} callTracked={callTracked} onUploaded={() => void showUploaded()} />
        <QuotesSection session={session} callTracked={callTracked} />
        <ConsentsSection session={session} callTracked={callTracked} />
        <DocumentList
          documents={documents}
          fileOf={fileOf}
          error={error}
          onError={setError}
          onView={setViewed}
          onDownload={download}
          onCheck={() => refetch().catch(() => undefined)}
        />
      </div>
      {viewed && (
        <LazyDialog code={viewerDialog} onFail={() => setViewed(null)}>
          {({ default: ViewerDialog }) => (
            <ViewerDialog
              document={documents.find(({ id }) => id === viewed.id) ?? viewed}
              fileOf={fileOf}
              onDownload={download}
              onClose={() => setViewed(null)}
            />
          )}
        </LazyDialog>
      )}
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
