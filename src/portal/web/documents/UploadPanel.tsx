import { Check, Upload } from 'lucide-react'
import { useEffect, useId } from 'react'
import { useDropzone } from 'react-dropzone'
import { cn } from '../../../ui/cn.ts'
import { prepareToaster } from '../../../ui/overlays/ToastHost.tsx'
import { patientFileLimit } from '../../../documents/rules.ts'
import type { PatientSession } from '../calls.ts'
import { useLanguage } from '../../../ui/patient/language.ts'
import { acceptedFiles, rejectionText } from './labels.ts'
import { documentTexts } from './texts.ts'
import { useUpload } from './useUpload.ts'

interface UploadPanelProps {
  session: PatientSession
  callTracked: <Result>(call: () => Promise<Result>) => Promise<Result>
  onUploaded: () => void
}

export default function UploadPanel(props: UploadPanelProps) {
  const { uploading, completed, total, uploaded, refused, upload } = useUpload(props)
  const language = useLanguage()
  const t = documentTexts[language]
  useEffect(() => prepareToaster(), [])
  const id = useId()
  const { getRootProps, getInputProps, isDragActive, fileRejections } = useDropzone({
    accept: acceptedFiles,
    maxSize: patientFileLimit,
    disabled: uploading,
    onDrop: (files) => void upload(files),
  })
  const failed = [
    ...fileRejections.map(({ file, errors }) => ({ name: file.name, problem: rejectionText(errors[0]!, language) })),
    ...refused,
  ]
  const percent = total === 0 ? 0 : Math.round((completed / total) * 100)

  return (
    <div className="flex flex-col gap-4 pt-4">
      <div
        {...getRootProps({
          role: 'button',
          'aria-labelledby': `${id}action`,
          'aria-describedby': `${id}hints`,
          // Stays focusable while uploading, so that the focus is not lost.
          tabIndex: 0,
        })}
        className={cn(
          'flex flex-col items-center rounded-xl border-2 border-dashed border-line-control bg-subtle px-4 py-7 text-center',
          isDragActive && 'border-accent bg-accent-soft',
          uploading ? 'cursor-not-allowed border-line-2 text-fg-3' : 'hover:bg-hover',
        )}
      >
        <Upload aria-hidden="true" className={cn('size-7!', !uploading && 'text-accent-fg')} />
        <p id={`${id}action`} className="pt-3 text-portal font-semibold">
          {isDragActive ? t('drop') : t('choose')}
        </p>
        <p id={`${id}hints`} className={cn('pt-1 text-title leading-relaxed', uploading ? 'text-fg-3' : 'text-fg-2')}>
          {t('supported')}
          <br />
          {t('maximum')}
        </p>
      </div>
      {/* Not inside the drop area, because a button must not contain other focusable elements. */}
      <input {...getInputProps({ style: { display: 'none' } })} />

      {uploading && (
        <div className="flex flex-col gap-2.5">
          <div className="flex justify-between gap-4 text-portal">
            <p role="status" className="font-medium">
              {t('uploading', { percent })}
            </p>
            <p className="text-fg-2 tabular-nums">{t('files', { completed, count: total })}</p>
          </div>
          <div
            role="progressbar"
            aria-label={t('progress')}
            aria-valuenow={percent}
            aria-valuemin={0}
            aria-valuemax={100}
            className="h-2 overflow-hidden rounded-full bg-active"
          >
            <div className="h-full rounded-full bg-accent transition-[width] duration-(--dur-3)" style={{ width: `${percent}%` }} />
          </div>
        </div>
      )}
      {uploaded.length > 0 && (
        <div role="status" className="text-portal">
          <p className="font-semibold">{t('complete')}</p>
          <ul>
            {uploaded.map((name, index) => (
              // Two files of one batch may have the same name; the list never changes its order.
              // oxlint-disable-next-line react/no-array-index-key
              <li key={index} className="flex gap-2.5 [overflow-wrap:anywhere]">
                <Check aria-hidden="true" className="mt-1 size-4.5! text-success-fg" />
                {name}
              </li>
            ))}
          </ul>
        </div>
      )}
      {failed.length > 0 && (
        <div role="alert" className="text-portal">
          <p className="font-semibold text-danger-fg">{t('failedFor')}</p>
          <ul>
            {failed.map(({ name, problem }, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- as above
              <li key={index} className="[overflow-wrap:anywhere]">
                <span className="font-medium">{name}</span>
                {t('colon')}
                {problem}
              </li>
            ))}
          </ul>
        </div>
      )}
      <p className="max-w-160 text-title leading-relaxed text-fg-2">{t('reviewed')}</p>
    </div>
  )
}
