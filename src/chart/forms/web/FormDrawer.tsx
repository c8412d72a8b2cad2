import { useQuery } from '@tanstack/react-query'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { allQuestions } from '../rules.ts'
import { FormAnswers } from './FormAnswers.tsx'
import type { SentFormData, SubmittedFormData } from './form-data.ts'
import { formatSubmitted, statusLabels, statusTones } from './labels.ts'
import { RedFlags } from './RedFlags.tsx'

interface FormDrawerProps {
  form: SentFormData
  /** Not given if no review is due. */
  onReview: (() => void) | undefined
  onClose: () => void
}

/** A submitted form: red flags first, then every answer. Its view is in the audit log. */
export default function FormDrawer({ form, onReview, onClose }: FormDrawerProps) {
  const clock = useClock()
  const submitted = useQuery(orpc.forms.get.queryOptions({ input: { id: form.id } }))
  return (
    <SideDrawer
      title={form.title.en}
      description={formatSubmitted(form, clock)}
      aside={onReview ? <Badge tone="warning">Needs review</Badge> : <Badge tone={statusTones.submitted}>{statusLabels.submitted}</Badge>}
      footer={
        onReview && (
          <Button variant="filled" size="lg" className="max-md:flex-1 md:ml-auto" onClick={onReview}>
            Review answers
          </Button>
        )
      }
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
  const labelOf = (id: string) => allQuestions(form.definition).find((question) => question.id === id)?.label.en
  return (
    <div className="flex flex-col gap-5">
      <RedFlags flags={form.redFlags} labelOf={labelOf} />
      <FormAnswers form={form} />
      <p className="text-xs text-fg-3">Version {form.versionNumber} of the form</p>
    </div>
  )
}
