import { CircleAlert, CircleCheck, CircleX, FileSearch } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useDropzone } from 'react-dropzone'
import type { Language } from '../../../shared/translations.ts'
import { usePractice } from '../../../ui/client/session.ts'
import { cn } from '../../../ui/cn.ts'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { useLanguage } from '../../../ui/patient/language.ts'
import { Card, ErrorLine } from '../../../ui/patient/parts.tsx'
import { PortalFrame } from '../../../ui/patient/PortalFrame.tsx'
import { formatFingerprint, maxPdfBytes } from '../rules.ts'
import { type Checked, type Failure, verify } from './verify-call.ts'
import { verifyTexts } from './texts.ts'

type Stage =
  | { name: 'start'; failure: Failure | null }
  | { name: 'checking'; file: string }
  | { name: 'checked'; file: string; checked: Checked }

/** /verify: anyone drops a PDF, and reads whether it is as this practice sealed it. It says nothing that is not in the seal. */
export default function VerifyPage() {
  const language = useLanguage()
  const [stage, setStage] = useState<Stage>({ name: 'start', failure: null })
  const { name: practice } = usePractice()
  const t = verifyTexts[language]

  async function check(file: File) {
    setStage({ name: 'checking', file: file.name })
    const result = await verify(file)
    setStage(typeof result === 'string' ? { name: 'start', failure: result } : { name: 'checked', file: file.name, checked: result })
  }

  return (
    <PortalFrame title={t('title')} announcement={stage.name === 'checking' ? t('checking') : ''}>
      <div className="max-w-160">
        <h1 className="text-3xl font-semibold md:text-4xl">{t('title')}</h1>
        <p className="pt-3">{t('intro', { practice })}</p>
        <Card className="mt-6 flex flex-col gap-5">
          {stage.name === 'checking' && (
            <div className="flex min-h-40 flex-col gap-4">
              <p className="font-semibold">{t('checking')}</p>
              <Skeleton className="w-3/4" />
              <Skeleton className="w-1/2" />
            </div>
          )}
          {stage.name === 'checked' && <Result {...stage} language={language} practice={practice} />}
          {stage.name === 'start' && stage.failure && <ErrorLine>{t(`failures.${stage.failure}`)}</ErrorLine>}
          {stage.name !== 'checking' && (
            <DropArea
              label={stage.name === 'checked' ? t('dropAnother') : t('drop')}
              hint={t('limit')}
              onFile={(file) => void check(file)}
              onFailure={(failure) => setStage({ name: 'start', failure })}
            />
          )}
        </Card>
      </div>
    </PortalFrame>
  )
}

interface DropAreaProps {
  label: string
  hint: string
  onFile: (file: File) => void
  onFailure: (failure: Failure) => void
}

/** Why a file was not taken, by the code of the drop area. */
const rejections: Record<string, Failure> = { 'file-too-large': 'BODY_TOO_LARGE', 'too-many-files': 'FILE_COUNT' }

function DropArea({ label, hint, onFile, onFailure }: DropAreaProps) {
  const id = useId()
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    accept: { 'application/pdf': ['.pdf'] },
    maxSize: maxPdfBytes,
    multiple: false,
    onDrop: ([file], rejected) => {
      if (file) onFile(file)
      else onFailure(rejections[rejected[0]?.errors[0]?.code ?? ''] ?? 'FILE_TYPE')
    },
  })
  return (
    <>
      <div
        {...getRootProps({ role: 'button', 'aria-labelledby': `${id}label`, 'aria-describedby': `${id}hint`, tabIndex: 0 })}
        className={cn(
          'flex flex-col items-center rounded-xl border-2 border-dashed border-line-control bg-subtle px-4 py-7 text-center hover:bg-hover',
          isDragActive && 'border-accent bg-accent-soft',
        )}
      >
        <FileSearch aria-hidden="true" className="size-7! text-accent-fg" />
        <p id={`${id}label`} className="pt-3 font-semibold">
          {label}
        </p>
        <p id={`${id}hint`} className="pt-1 text-title text-fg-2">
          {hint}
        </p>
      </div>
      {/* Not inside the drop area, because a button must not contain other focusable elements. */}
      <input {...getInputProps({ style: { display: 'none' } })} />
    </>
  )
}

const marks: Record<Checked['status'], ReactNode> = {
  valid: <CircleCheck aria-hidden="true" className="mt-0.5 size-6! text-success-fg" />,
  'unknown-certificate': <CircleAlert aria-hidden="true" className="mt-0.5 size-6! text-warning-fg" />,
  altered: <CircleX aria-hidden="true" className="mt-0.5 size-6! text-danger-fg" />,
  'not-sealed': <CircleAlert aria-hidden="true" className="mt-0.5 size-6! text-warning-fg" />,
}

function Result({ checked, file, language, practice }: { checked: Checked; file: string; language: Language; practice: string }) {
  const t = verifyTexts[language]
  const title = useRef<HTMLHeadingElement>(null)
  // What had the focus no longer exists.
  useEffect(() => title.current?.focus(), [])
  const formatTime = (instant: string) =>
    new Intl.DateTimeFormat(`${language}-CA`, { dateStyle: 'long', timeStyle: 'long' }).format(new Date(instant))
  const isSealed = checked.status === 'valid' || checked.status === 'unknown-certificate'
  return (
    <div>
      <h2 ref={title} tabIndex={-1} className="flex gap-3 text-xl font-semibold wrap-anywhere outline-none">
        {marks[checked.status]}
        {t(`verdicts.${checked.status}`, { practice })}
      </h2>
      <p className="pt-2">
        {checked.status === 'altered'
          ? `${t(`problems.${checked.problem}`)} ${t('askForOriginal')}`
          : t(`explanations.${checked.status}`, { practice })}
      </p>
      <dl className="grid gap-x-6 gap-y-3 pt-5 md:grid-cols-[max-content_1fr]">
        <Fact label={t('file')}>{file}</Fact>
        {isSealed && (
          <>
            <Fact label={t('sealedBy')}>{checked.signer}</Fact>
            <Fact label={t('sealedAt')}>{formatTime(checked.signedAt)}</Fact>
            <Fact label={t('timestamp')}>
              {checked.timestamp
                ? t(checked.timestamp.isKnown ? 'confirmedBy' : 'unknownAuthority', {
                    at: formatTime(checked.timestamp.at),
                    authority: checked.timestamp.authority,
                  })
                : t('noTimestamp')}
            </Fact>
            <Fact label={t('fingerprint')}>
              <span className="font-mono text-title">{formatFingerprint(checked.fingerprint)}</span>
            </Fact>
          </>
        )}
      </dl>
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="md:contents">
      <dt className="text-fg-2">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}
