/** An example of `LiveEvent`. */
export const exampleLiveEvent = { id: '7', event: 'end', data: { reason: 'stopping' } };
