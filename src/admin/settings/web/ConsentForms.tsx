import { useParams } from '@tanstack/react-router'
import { ConsentEditorPage } from '../../../chart/consent-forms/web/embed/ConsentEditorPage.tsx'
import { ConsentFormsCard } from '../../../chart/consent-forms/web/embed/ConsentFormsCard.tsx'

/** The list of consent forms, or the editor of one. */
export function ConsentForms() {
  const { item } = useParams({ strict: false })
  return item === undefined ? <ConsentFormsCard /> : <ConsentEditorPage key={item} id={item} />
}
