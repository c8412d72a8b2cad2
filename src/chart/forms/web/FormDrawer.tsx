import { useQuery } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Badge } from '../../../ui/display/Badge.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { visibleSections } from '../rules.ts'
import { AnswerValue } from './AnswerValue.tsx'
import type { SentFormData, SubmittedFormData } from './form-data.ts'
import { statusLabels, statusTones } from './labels.ts'
import { RedFlags } from './RedFlags.tsx'

/** A submitted form: red flags first, then every answer. Its view is in the audit log. */
export default function FormDrawer({ form, onClose }: { form: SentFormData; onClose: () => void }) {
  const submitted = useQuery(orpc.forms.get.queryOptions({ input: { id: form.id } }))
  return (
    <SideDrawer
      title={form.title.en}
      aside={<Badge tone={statusTones.submitted}>{statusLabels.submitted}</Badge>}
      onClose={onClose}
      isReadOnly
    >
      {submitted.data ? (
        <Answers form={submitted.data} />
      ) : submitted.error ? (
        <ErrorState title="Couldn’t load the form" onRetry={() => void submitted.refetch()} retrying={submitted.isFetching}>
          {messageOf(submitted.error)}
        </ErrorState>
      ) : (
        <SkeletonRows rows={6} />
      )}
    </SideDrawer>
  )
}

function Answers({ form }: { form: SubmittedFormData }) {
  const clock = useClock()
  const { definition, answers, redFlags } = form
  const labelOf = (id: string) => definition.sections.flatMap(({ questions }) => questions).find((question) => question.id === id)?.label.en
  return (
    <div className="flex flex-col gap-5">
      {redFlags.length > 0 && <RedFlags flags={redFlags} labelOf={labelOf} />}
      <p className="text-sm text-fg-2">
        Submitted {form.submittedAt && formatDateTime(form.submittedAt, clock)} in {form.language === 'fr' ? 'French' : 'English'}. Version{' '}
        {form.versionNumber} of the form.
      </p>
      {visibleSections(definition, answers).map(({ section, questions }) => (
        <section key={section.id} aria-label={section.title.en}>
          <h3 className="border-b border-line pb-2 text-title font-semibold">{section.title.en}</h3>
          <dl className="flex flex-col gap-3 pt-3">
            {questions.map((question) => (
              <div key={question.id} className="text-sm">
                <dt className="text-fg-3">{question.label.en}</dt>
                <dd className="pt-0.5 wrap-anywhere whitespace-pre-wrap text-fg">
                  <AnswerValue question={question} value={answers[question.id]} files={form.files} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
