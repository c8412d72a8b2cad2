import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FileSignature } from 'lucide-react'
import { client, orpc } from '../../../../ui/client/api.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { TemplateList } from '../../../templates/web/embed/TemplateList.tsx'
import { starterNames } from '../../starter-rules.ts'
import { describeUse } from '../labels.ts'

/** Settings, Consent forms: what patients are asked to agree to. */
export function ConsentFormsCard() {
  const cache = useQueryClient()
  const templates = useQuery(orpc.consentForms.templates.queryOptions())
  const procedures = useQuery(orpc.procedures.list.queryOptions()).data ?? []
  useLive(['consent-template'], () => void cache.invalidateQueries({ queryKey: orpc.consentForms.templates.key() }), { debounceMs: 300 })
  return (
    <TemplateList
      section="consent-forms"
      title="Consent forms"
      noun="consent form"
      icon={<FileSignature />}
      query={templates}
      starters={starterNames}
      create={(starter) => client.consentForms.createTemplate({ starter })}
      hint="A booked surgery requires the published forms for its procedures. Patients read and sign them in English or French."
      emptyHint="Start from an example, adapt it with your physicians, and publish it. Surgeries then require it."
      describe={(template) => describeUse(template, procedures)}
    />
  )
}
