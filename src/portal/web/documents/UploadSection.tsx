import { Upload } from 'lucide-react'
import { useId, useState } from 'react'
import { cn } from '../../../ui/cn.ts'
import type { PatientSession } from '../calls.ts'
import { LazyDialog } from '../LazyDialog.tsx'
import { uploadPanel } from '../lazy-dialogs.ts'
import { PortalButton, sectionTitle } from '../../../ui/patient/parts.tsx'
import { useTexts } from '../../../ui/patient/language.ts'
import { documentTexts } from './texts.ts'

interface UploadSectionProps {
  session: PatientSession
  callTracked: <Result>(call: () => Promise<Result>) => Promise<Result>
  onUploaded: () => void
}

export function UploadSection({ session, callTracked, onUploaded }: UploadSectionProps) {
  const t = useTexts(documentTexts)
  const [open, setOpen] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  const id = useId()
  return (
    <section aria-label={t('upload')} className={cn('rounded-xl', open && 'border border-line bg-surface p-4 md:p-6')}>
      <div className="flex flex-wrap items-center justify-between gap-x-2 gap-y-3">
        {open && <h2 className={sectionTitle}>{t('upload')}</h2>}
        <PortalButton
          icon={open ? undefined : <Upload />}
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          className={cn(open ? 'max-md:px-4' : 'max-md:w-full')}
          onClick={() => {
            setLoaded(true)
            setOpen(!open)
          }}
        >
          {open ? t('hideUpload') : t('upload')}
        </PortalButton>
      </div>
      {/* Only hidden, so that running uploads continue. */}
      <div id={id} hidden={!open}>
        {isLoaded && (
          <LazyDialog
            code={uploadPanel}
            onFail={() => {
              setLoaded(false)
              setOpen(false)
            }}
          >
            {({ default: UploadPanel }) => <UploadPanel session={session} callTracked={callTracked} onUploaded={onUploaded} />}
          </LazyDialog>
        )}
      </div>
    </section>
  )
}
