import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ClipboardList } from 'lucide-react'
import { client, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { HelpLink } from '../../../../ui/display/HelpLink.tsx'
import { TemplateList } from '../../../templates/web/embed/TemplateList.tsx'
import { starterNames } from '../../starter-rules.ts'

/** Settings, Forms: what can be sent to patients. */
export function FormsCard() {
  const cache = useQueryClient()
  const templates = useQuery(orpc.forms.templates.queryOptions())
  useLive(['form-template'], () => void cache.invalidateQueries({ queryKey: orpc.forms.templates.key() }), { debounceMs: 300 })
  return (
    <TemplateList
      section="forms"
      title="Forms"
      noun="form"
      icon={<ClipboardList />}
      query={templates}
      starters={starterNames}
      create={(starter) => client.forms.createTemplate({ starter })}
      duplicate={(copyOf) => client.forms.createTemplate({ copyOf })}
      hint="Patients fill these in before a visit, in English or French. A form that was sent keeps the version that it was sent with."
      help={<HelpLink to="forms#build-a-form">How to build a form</HelpLink>}
      emptyHint="Start from a medical history, an anaesthesia questionnaire or another example, adapt it, and publish it."
      describe={({ questionCount }) => (questionCount === 1 ? '1 question' : `${questionCount} questions`)}
    />
  )
}
