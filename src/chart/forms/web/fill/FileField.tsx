import { Camera, Paperclip, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import type { Question } from '../../definition-rules.ts'
import type { Language } from '../../../../shared/translations.ts'
import { answerLimits } from '../../rules.ts'
import { formTexts } from '../embed/texts.ts'
import type { Wiring } from './wiring.ts'

/** What the patient has added, and how a file is sent. */
export interface FormFiles {
  names: ReadonlyMap<string, { name: string; isPicture: boolean }>
  /** Returns the id of the document, or what to say when it was refused. Not given in a preview. */
  upload?: (file: File) => Promise<{ id: string } | { problem: string }>
}

interface FileFieldProps {
  question: Question
  value: unknown
  onChange: (value: unknown) => void
  language: Language
  files: FormFiles | undefined
  wiring: Wiring
}

const accepted = { file: '.pdf,.doc,.docx,.jpg,.jpeg,.png,.heic', photo: 'image/*' }

/** Files or photos, sent at once. A phone offers its camera and the photos on it. */
export function FileField({ question, value, onChange, language, files, wiring }: FileFieldProps) {
  const t = formTexts[language]
  const input = useRef<HTMLInputElement>(null)
  const [isSending, setSending] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const ids = Array.isArray(value) ? (value as string[]) : []
  const isPhoto = question.type === 'photo'

  async function add(file: File | undefined) {
    if (!file || !files?.upload) return
    setSending(true)
    setProblem(null)
    const sent = await files.upload(file)
    setSending(false)
    if ('problem' in sent) setProblem(t('fileRefused', { name: file.name, problem: sent.problem }))
    else if (!ids.includes(sent.id)) onChange([...ids, sent.id])
  }

  return (
    <div className="flex flex-col gap-3">
      {ids.length > 0 && (
        <ul className="flex flex-col gap-2">
          {ids.map((id) => {
            const name = files?.names.get(id)?.name ?? t('missingFile')
            return (
              <li key={id} className="flex min-h-12 items-center gap-3 rounded-lg border border-line bg-subtle pl-4 text-title">
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{name}</span>
                <PortalButton
                  variant="quiet"
                  aria-label={t('remove', { name })}
                  icon={<X />}
                  onClick={() => onChange(ids.filter((one) => one !== id))}
                />
              </li>
            )
          })}
        </ul>
      )}
      {problem && <ErrorLine>{problem}</ErrorLine>}
      {ids.length < answerLimits.files && (
        <>
          <input
            ref={input}
            type="file"
            hidden
            accept={accepted[isPhoto ? 'photo' : 'file']}
            onChange={({ target }) => {
              void add(target.files?.[0])
              target.value = ''
            }}
          />
          <PortalButton
            className="self-start"
            icon={isPhoto ? <Camera /> : <Paperclip />}
            busy={isSending}
            busyLabel={t('sendingFile')}
            aria-describedby={wiring.describedBy}
            onClick={() => input.current?.click()}
          >
            {isPhoto ? t('addPhoto') : t('addFile')}
          </PortalButton>
        </>
      )}
    </div>
  )
}
