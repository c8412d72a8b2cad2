export interface GallerySearch {
  procedure?: string
  age?: string
  technique?: string
}

/** The filters in the address of the gallery; what is not valid is left out. The page knows the ages: the first load does without their rules. */
export function readGallerySearch({ procedure, age, technique }: Record<string, unknown>): GallerySearch {
  return {
    ...(typeof procedure === 'string' && /^[\da-f-]{36}$/i.test(procedure) && { procedure }),
    ...(typeof age === 'string' && { age }),
    ...(typeof technique === 'string' && technique !== '' && { technique: technique.slice(0, 60) }),
  }
}
