import { formatDay } from '../../../ui/format.ts'
import type { Question } from '../definition-rules.ts'
import { bodyViews, isAnswered, type Point, type Signature } from '../rules.ts'
import { regionAt } from './embed/regions.ts'
import { formatDecimal } from '../../../shared/translations.ts'
import { formTexts } from './embed/texts.ts'
import type { SubmittedFormData } from './form-data.ts'
import { BodyOutline } from './fill/BodyOutline.tsx'
import { SignatureView } from './embed/SignatureView.tsx'

const t = formTexts.en

/** An answer as staff read it. */
export function AnswerValue({ question, value, files }: { question: Question; value: unknown; files: SubmittedFormData['files'] }) {
  if (!isAnswered(value)) return <span className="text-fg-3">Not answered</span>
  const labelOf = (id: unknown) => question.options.find((option) => option.id === id)?.label.en ?? String(id)
  switch (question.type) {
    case 'yes_no':
      return value === true ? t('yes') : t('no')
    case 'choice':
      return labelOf(value)
    case 'choices':
      return (value as string[]).map(labelOf).join(', ')
    case 'number':
      return `${formatDecimal(value as number, 'en')}${question.unit === null ? '' : ` ${question.unit}`}`
    case 'scale':
      return `${String(value)} of 10`
    case 'date':
      return formatDay(value as string)
    case 'body':
      return <Marks points={value as Point[]} />
    case 'file':
    case 'photo':
      return <Files ids={value as string[]} files={files} />
    case 'signature':
      return <SignatureView signature={value as Signature} />
    default:
      return String(value)
  }
}

function Marks({ points }: { points: readonly Point[] }) {
  return (
    <>
      {points.map((point) => `${t(`views.${point.view}`)}, ${t(`regions.${regionAt(point.view, point)}`)}`).join('; ')}
      <span className="flex flex-wrap gap-3 pt-2">
        {bodyViews
          .filter((view) => points.some((point) => point.view === view))
          .map((view) => (
            <BodyOutline key={view} view={view} points={points.filter((point) => point.view === view)} label={t(`views.${view}`)} />
          ))}
      </span>
    </>
  )
}

function Files({ ids, files }: { ids: readonly string[]; files: SubmittedFormData['files'] }) {
  return (
    <ul>
      {ids.map((id) => {
        const file = files.find((one) => one.id === id)
        if (!file) return <li key={id}>A file that was deleted</li>
        if (file.isInfected) return <li key={id}>{file.name} (rejected by the virus scan)</li>
        return (
          <li key={id}>
            <a href={`/api/documents/${id}/file`} target="_blank" rel="noreferrer" className="text-accent-fg underline underline-offset-2">
              {file.name}
            </a>
          </li>
        )
      })}
    </ul>
  )
}
