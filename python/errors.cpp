// Errors of Invar as exceptions of Python, whose classes are written in Python: invar/errors.py.
#include "invar/base/error.h"

#include "invar/base/interrupt.h"
#include "invar/record/file.h"
#include "python/binding.h"

namespace invar::python {

namespace {

void raise(const char* name, const char* text) {
  const py::object type = py::module_::import("invar.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(text).ptr());
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const FileError& e) {
    PyErr_SetString(PyExc_OSError, e.what());
  } catch (const InputError& e) {
    raise("ModelError", e.what());
  } catch (const StepError& e) {
    raise("NumericsError", e.what());
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const Error& e) {
    raise("InternalError", e.what());
  }
}

}  // namespace

void bind_errors(py::module_&) { py::register_exception_translator(&translate); }

}  // namespace invar::python
