import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { loadedOnce, TemplatePage } from '../../../templates/web/embed/TemplatePage.tsx'
import { ConsentEditor } from '../builder/ConsentEditor.tsx'

/** /settings/consent-forms/{id}: the editor of a consent form. */
export function ConsentEditorPage({ id }: { id: string }) {
  const template = useQuery(orpc.consentForms.template.queryOptions({ input: { id }, ...loadedOnce }))
  return (
    <TemplatePage section="consent-forms" noun="consent form" nouns="consent forms" query={template}>
      {(data) => <ConsentEditor template={data} />}
    </TemplatePage>
  )
}
