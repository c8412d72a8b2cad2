import { useParams } from '@tanstack/react-router'
import { FormEditorPage } from '../../../chart/forms/web/embed/FormEditorPage.tsx'
import { FormsCard } from '../../../chart/forms/web/embed/FormsCard.tsx'

/** The list of forms, or the editor of one. */
export function Forms() {
  const { item } = useParams({ strict: false })
  return item === undefined ? <FormsCard /> : <FormEditorPage key={item} id={item} />
}
