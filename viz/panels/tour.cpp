#include "viz/panels/panels.h"
