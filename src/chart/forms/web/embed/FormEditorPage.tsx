import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../../../ui/client/api.ts'
import { loadedOnce, TemplatePage } from '../../../templates/web/embed/TemplatePage.tsx'
import { FormEditor } from '../builder/FormEditor.tsx'

/** /settings/forms/{id}: the editor of a form. */
export function FormEditorPage({ id }: { id: string }) {
  const template = useQuery(orpc.forms.template.queryOptions({ input: { id }, ...loadedOnce }))
  return (
    <TemplatePage section="forms" noun="form" nouns="forms" query={template}>
      {(data) => <FormEditor template={data} />}
    </TemplatePage>
  )
}
