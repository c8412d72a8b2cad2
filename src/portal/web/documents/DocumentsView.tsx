import { Lock } from 'lucide-react'
import { useRef, useState } from 'react'
import { downloadBlob } from '../../../ui/client/download-blob.ts'
import { safeName } from '../../../documents/rules.ts'
import { useTexts } from '../../../ui/patient/language.ts'
import { type DocumentData, isSessionOver, type PatientSession } from '../calls.ts'
import { viewerDialog } from '../lazy-dialogs.ts'
import { LazyDialog } from '../LazyDialog.tsx'
import { ConsentsSection } from '../consents/ConsentsSection.tsx'
import { QuotesSection } from '../quotes/QuotesSection.tsx'
import type { PatientQuotes } from '../quotes/useQuotes.ts'
import { useFocusOnArrival } from '../useFocusOnArrival.ts'
import { DocumentList } from './DocumentList.tsx'
import { type DocumentProblem, documentTexts } from './texts.ts'
import { UploadSection } from './UploadSection.tsx'
import type { PatientDocuments } from './useDocuments.ts'

interface DocumentsViewProps {
  title: string
  session: PatientSession
  documents: PatientDocuments
  quotes: PatientQuotes
}

/** The patient's documents and quotes (spec 2). */
export default function DocumentsView({
  title,
  session,
  documents: { documents, refetch, fileOf, callTracked },
  quotes,
}: DocumentsViewProps) {
  const t = useTexts(documentTexts)
  const [viewed, setViewed] = useState<DocumentData | null>(null)
  const [error, setError] = useState<DocumentProblem | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnArrival(heading)

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
      <h1 ref={heading} tabIndex={-1} className="text-3xl font-semibold outline-none md:text-4xl">
        {title}
      </h1>
      <p className="pt-1 text-portal text-fg-2">{t('welcome', { name: session.firstName })}</p>
      <p className="flex max-w-160 gap-3 pt-3 text-title leading-relaxed text-fg-2">
        <Lock aria-hidden="true" className="mt-0.5 size-4.5! text-accent-fg" />
        {t('trust')}
      </p>
      <div className="flex flex-col gap-5 pt-6">
        <UploadSection session={session} callTracked={callTracked} onUploaded={() => void showUploaded()} />
        <DocumentList
          documents={documents}
          fileOf={fileOf}
          error={error}
          onError={setError}
          onView={setViewed}
          onDownload={download}
          onCheck={() => refetch().catch(() => undefined)}
        />
        <QuotesSection quotes={quotes} />
        <ConsentsSection session={session} callTracked={callTracked} />
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
    </>
  )
}
